// Shared memory between devices: named by the templates of tilelang-ascend, not modelled.
#pragma once

#include "kernel_operator.h"

template <class... Args>
void aclshmemx_mte_put_nbi(Args...) {
    aicore::unsupported("aclshmemx_mte_put_nbi");
}
template <class... Args>
void aclshmemx_mte_get_nbi(Args...) {
    aicore::unsupported("aclshmemx_mte_get_nbi");
}
