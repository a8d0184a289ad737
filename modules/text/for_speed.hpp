/// Whether a file is compiled for speed or for size, as the page's engine is: what is there twice for speed alone is
/// left out of it. Included behind the imports.
#pragma once

namespace octet::text {

#ifdef __OPTIMIZE_SIZE__
constexpr bool is_for_speed = false;
#else
constexpr bool is_for_speed = true;
#endif

}  // namespace octet::text
