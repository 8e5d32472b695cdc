// What memory holds that nobody has written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aicore::engine {

// NaN in every floating-point format and -1 in integers; or, with a seed (profile key `poison`), numbers that are
// finite in every format and differ from seed to seed: seed 2n - 1 and seed 2n have opposite signs.
void fill_poison(uint8_t* at, size_t bytes);

}  // namespace aicore::engine
