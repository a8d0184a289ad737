/// What compiled functions compute while another program is traced: it is frozen in that program.
export module octet.compile:host_runs;
import octet.base;
import octet.standard;

export namespace octet {

/// While it lives, notes the compiled functions that run on this thread. Of several, the innermost notes.
class HostRuns {
 public:
  HostRuns();
  ~HostRuns();
  HostRuns(const HostRuns&) = delete;
  HostRuns& operator=(const HostRuns&) = delete;

  std::vector<std::string> functions;  ///< their names, each once
  std::vector<Tensor> results;         ///< which a constant that holds one shares memory with
};

/// Notes a run of `function`, where one is to be noted.
void note_run(const std::string& function, const std::vector<Tensor>& results);
void note_run(const std::string& function, const std::vector<std::vector<Tensor>>& results);

}  // namespace octet
