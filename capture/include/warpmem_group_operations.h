/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of reduce() and the scans, with the value that changes no other.
 */
#ifndef WARPMEM_GROUP_OPERATIONS_H
#define WARPMEM_GROUP_OPERATIONS_H

#include <limits>

namespace cooperative_groups {

#define WARPMEM_GROUP_OPERATION(name, expression) \
    template <class T = void> struct name { \
        WARPMEM_METHOD T operator()(T a, T b) const { \
            return expression; \
        } \
    }; \
    template <> struct name<void> { \
        template <class T> WARPMEM_METHOD T operator()(T a, T b) const { \
            return expression; \
        } \
    };
WARPMEM_GROUP_OPERATION(plus, a + b)
WARPMEM_GROUP_OPERATION(less, b < a ? b : a)
WARPMEM_GROUP_OPERATION(greater, a < b ? b : a)
WARPMEM_GROUP_OPERATION(bit_and, a &b)
WARPMEM_GROUP_OPERATION(bit_or, a | b)
WARPMEM_GROUP_OPERATION(bit_xor, a ^ b)
#undef WARPMEM_GROUP_OPERATION

namespace warpmem {

/* The first thread of an exclusive scan gets it: zero, where the operation has no such value. */
template <class T, class F> struct neutral {
    static WARPMEM_METHOD T value() {
        return T();
    }
};
template <class T, class U> struct neutral<T, less<U>> {
    static WARPMEM_METHOD constexpr T value() {
        return std::numeric_limits<T>::max();
    }
};
template <class T, class U> struct neutral<T, greater<U>> {
    static WARPMEM_METHOD constexpr T value() {
        return std::numeric_limits<T>::lowest();
    }
};
template <class T, class U> struct neutral<T, bit_and<U>> {
    static WARPMEM_METHOD T value() {
        return ~T();
    }
};

template <class T> struct plain_type { typedef T type; };
template <class T> struct plain_type<T &> : plain_type<T> {};
template <class T> struct plain_type<const T> : plain_type<T> {};

} // namespace warpmem
} // namespace cooperative_groups

#endif
