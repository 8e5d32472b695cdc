// bfloat16_t and bfloat16x2_t in SIMT code.
#pragma once

#include "c_api/face/qualifiers.h"
#include "simt_api/face/convert.h"
#include "simt_api/face/math.h"
