// Part of the tensor API here.
#pragma once
#include "kernel_operator.h"
