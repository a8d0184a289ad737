#include "resident.hpp"

#if defined(__linux__) && defined(NDEBUG)
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

import octet.standard;

namespace program {

void give_back_large_tables() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

#if defined(__linux__) && defined(NDEBUG)
namespace {

/// By a debugger, whose breakpoints would go with the pages that they are on.
bool is_watched() {
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  if (!status) return true;
  int tracer = 0;
  char line[256];
  while (std::fgets(line, sizeof line, status))
    if (std::sscanf(line, "TracerPid: %d", &tracer) == 1) break;
  std::fclose(status);
  return tracer != 0;
}

}  // namespace
#endif

void give_back_code() {
#if defined(__linux__) && defined(NDEBUG)
  if (is_watched()) return;
  const auto give_back = [](dl_phdr_info* file, std::size_t, void*) {
    const auto page = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
    for (const ElfW(Phdr) & part : std::span{file->dlpi_phdr, file->dlpi_phnum}) {
      const bool can_be_written = (part.p_flags & PF_W) != 0;  // and would be lost
      if (part.p_type != PT_LOAD || can_be_written) continue;
      const ElfW(Addr) begin = file->dlpi_addr + part.p_vaddr, first = begin / page * page;
      madvise(reinterpret_cast<void*>(first), begin + part.p_filesz - first, MADV_DONTNEED);
    }
    return 1;  // no other file: the first is the program itself
  };
  dl_iterate_phdr(give_back, nullptr);
#endif
}

}  // namespace program
