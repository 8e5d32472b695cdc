// The compiler's header of this name, which has no guard: with one, it can be part of a precompiled header.
#ifndef CROSSTREE_TL_TEMPLATES_ASCEND_COMMON_H
#define CROSSTREE_TL_TEMPLATES_ASCEND_COMMON_H
#include_next "tl_templates/ascend/common.h"
#endif
