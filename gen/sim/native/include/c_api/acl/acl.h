// The part of ACL that device sources mention: tilelang's common.h has host macros around these names. Device sources
// are launched by the model's own host code, so nothing here is called.
#pragma once

typedef int aclError;
#define ACL_SUCCESS 0
#define ACL_RT_THREAD_LEVEL 0

aclError aclrtGetLastError(int level);
