/// What the system counts as this program's memory and it can do without.
#pragma once

namespace program {

/// From now on tables that have been outgrown go back to the system at once. The system's own rule keeps what is large
/// once a large table has gone, which took an eighth more memory.
void give_back_large_tables();

/// The code that has run goes back to the system, which has it in its file and maps again what runs next. Of what runs
/// once, such as reading a command line, megabytes would stay beside the work: a page that is called comes with its
/// neighbours, 64 KB together. Nothing goes back while a debugger watches, or in a build for one.
void give_back_code();

}  // namespace program
