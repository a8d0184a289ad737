/// What exercises are graded by: facts, measured by the library, that the learner's file has no hand in.
///
/// A check.cpp defines `void check()`, which calls what the exercise defines and states facts about it. The program
/// tells each fact to the runner, and ends with status 0 where all hold.
module;
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>
export module facts;
import octet;

export namespace facts {

using octet::Array;
using octet::Tensor;

/// `measured` equals `wanted`, elements differing by at most `tolerance` (NaN equals nothing). `what` names it in the
/// words of the code: `mean_of({1, 2})`.
void result(const std::string& what, const Tensor& measured, const Tensor& wanted, double tolerance = 0);
void result(const std::string& what, double measured, double wanted, double tolerance = 0);
void result(const std::string& what, const std::string& measured, const std::string& wanted);
/// Every bit agrees, or at least one does not.
void same_bits(const std::string& what, const Tensor& measured, const Tensor& wanted);
void other_bits(const std::string& what, const Tensor& measured, const Tensor& than);
/// A number is at most or at least so large.
void at_most(const std::string& what, double measured, double most);
void at_least(const std::string& what, double measured, double least);
/// Programs compiled: one at least, and at most so many.
void compiles(const octet::CacheStatistics& statistics, std::uint64_t most);
/// The share of padding in what was computed.
void padding(const octet::CacheStatistics& statistics, double most);
/// Bytes.
void memory(const std::string& what, double bytes, double most);

// No templates: each would be instantiated anew for every exercise, which takes longer than all the rest.

/// Functions of the exercise, whatever the number of their arguments.
using Function = std::function<std::vector<Array>(const std::vector<Array>&)>;
using One = Array (*)(Array);
using Two = Array (*)(Array, Array);
using Three = Array (*)(Array, Array, Array);
using Four = Array (*)(Array, Array, Array, Array);
Function function(One f);
Function function(Two f);
Function function(Three f);
Function function(Four f);

/// The result of `f`, traced and compiled for these very shapes, in f32 precision.
Tensor run(One f, const Tensor& a);
Tensor run(Two f, const Tensor& a, const Tensor& b);
Tensor run(Three f, const Tensor& a, const Tensor& b, const Tensor& c);
Tensor run(Four f, const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d);

/// `f` behind octet::jit.
class Program {
 public:
  Program(One f, octet::JitOptions options = {});
  Program(Two f, octet::JitOptions options = {});
  Tensor operator()(Tensor a) const;
  Tensor operator()(Tensor a, Tensor b) const;
  octet::CacheStatistics statistics() const {
    return statistics_();
  }

 private:
  std::function<std::vector<Tensor>(std::vector<Tensor>)> call_;
  std::function<octet::CacheStatistics()> statistics_;
};

/// What every replica of a slice is given, and what it makes of it: `[replica][argument]`, `[replica][result]`.
using Arguments = std::vector<std::vector<Tensor>>;
using Results = std::vector<std::vector<Tensor>>;
Results on_replicas(const Function& f, const octet::tpu::Slice& slice, const Arguments& arguments);
/// To all replicas `same`, and to each its share of `batch`. Throws X601.
Arguments shared_out(const octet::tpu::Slice& slice, std::initializer_list<Tensor> same,
                     std::initializer_list<Tensor> batch);

/// Tensors of f32: one number, a row, rows of `columns` numbers, all the same, 0 to n - 1, and drawn from [0, 1).
Tensor number(double value);
Tensor row(std::initializer_list<float> values);
Tensor rows(std::int64_t columns, std::initializer_list<float> values);
Tensor filled(const octet::Shape& shape, double value);
Tensor counted(std::int64_t n);
Tensor drawn(const octet::Shape& shape, std::uint64_t seed = 1);
/// Of i32.
Tensor row_i32(std::initializer_list<int> values);
Tensor row_i32(const std::vector<int>& values);
Tensor filled_i32(const octet::Shape& shape, int value);

/// Of the program: 0 where facts were stated and all hold.
int status();

}  // namespace facts

/// Of the exercise.
export extern "C++" void check();
