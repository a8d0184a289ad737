/// What functions are declared with that multiply or pack pairs of bf16 by AVX-512's BF16. Macros alone: it may be
/// included anywhere.
#pragma once

#if defined(__x86_64__)
#define OCTET_PAIRS_FEATURES "avx512f,avx512dq,avx512vl,avx512bw,avx512bf16,fma"
#define OCTET_PAIRS_TARGET [[gnu::target(OCTET_PAIRS_FEATURES)]]
#define OCTET_PAIRS_PIECE [[gnu::always_inline, gnu::target(OCTET_PAIRS_FEATURES)]] inline
#endif
