// ACL for sources against the C API: the host side of a sample, and the names that tilelang's common.h mentions.
#pragma once

#include "../../ascendc/acl/acl.h"

#define ACL_RT_THREAD_LEVEL 0

aclError aclrtGetLastError(int level);
