// Vector registers of SIMD vector functions, in the order in which a function uses them.
#pragma once

#include "c_api/reg/arithmetic.h"
#include "c_api/reg/compare.h"
#include "c_api/reg/convert.h"
#include "c_api/reg/histogram.h"
#include "c_api/reg/load.h"
#include "c_api/reg/mask.h"
#include "c_api/reg/merging.h"
#include "c_api/reg/rearrange.h"
#include "c_api/reg/reduce.h"
#include "c_api/reg/store.h"
#include "c_api/reg/tags.h"
#include "c_api/reg/vector.h"
