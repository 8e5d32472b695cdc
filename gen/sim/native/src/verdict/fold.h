// One missing edge is one finding: what follows from it is listed with it, and not on its own.
#pragma once

#include "verdict/findings.h"

namespace aicore::engine {

Findings fold(Findings findings);

}  // namespace aicore::engine
