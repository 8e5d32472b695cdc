// Integer sequences for CATLASS. Its own header of this name specialises a size_t parameter with an int, which g++ 12
// refuses; this one stands before it on the include path.
#ifndef TLA_NUMERIC_INTEGER_SEQUENCE_HPP
#define TLA_NUMERIC_INTEGER_SEQUENCE_HPP

#include <cstddef>
#include <utility>

#include "tla/numeric/integral_constant.hpp"
#include "tla/type_traits.hpp"

namespace tla {

template <class T, T... values>
using IntegerSequence = std::integer_sequence<T, values...>;
template <class T, T count>
using MakeIntegerSequence = std::make_integer_sequence<T, count>;

template <size_t... values>
using index_sequence = std::index_sequence<values...>;
template <size_t count>
using make_index_sequence = std::make_index_sequence<count>;

template <int... values>
using int_sequence = std::integer_sequence<int, values...>;
template <int count>
using make_int_sequence = std::make_integer_sequence<int, count>;

template <int... values>
using seq = int_sequence<values...>;
template <int count>
using make_seq = make_int_sequence<count>;
template <class Tuple>
using tuple_seq = make_seq<tuple_size<remove_cvref_t<Tuple>>::value>;

}  // namespace tla

#endif  // TLA_NUMERIC_INTEGER_SEQUENCE_HPP
