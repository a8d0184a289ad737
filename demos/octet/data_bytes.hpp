/// --data-bytes: how large the data are that lie in memory. Imports octet: include it after all other headers.
#pragma once
import cli11;
import octet.standard;
import octet;

namespace program {

/// Adds the option, which goes into `bytes`.
CLI::Option* add_data_bytes(CLI::App* sub, long long& bytes);

/// What was given. Throws X709 for a number out of range, and X735 where the data lie elsewhere than in the memory of
/// the hosts.
double data_bytes(long long bytes, const octet::tpu::DataPlacement& data);

}  // namespace program
