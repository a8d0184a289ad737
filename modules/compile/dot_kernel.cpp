module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :gemm;
import :gemm_batch;
import :kernel;
import :plan;

namespace octet {

namespace {

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// A batch of products, each by octet.compile:gemm.
class DotKernel final : public Kernel {
 public:
  DotKernel(DType dtype, DotShape shape, DotOperand lhs, DotOperand rhs, DotResult result, bool round_to_bfloat16,
            Isa isa)
      : dtype_{dtype},
        shape_{std::move(shape)},
        lhs_{std::move(lhs)},
        rhs_{std::move(rhs)},
        result_{std::move(result)},
        isa_{isa} {
    batch_.product = {{.m = shape_.m,
                       .n = shape_.n,
                       .k = shape_.k,
                       .lhs_row = lhs_.free_stride,
                       .lhs_column = lhs_.contracted_stride,
                       .rhs_row = rhs_.contracted_stride,
                       .rhs_column = rhs_.free_stride,
                       .out_row = dtype == DType::bf16 ? shape_.n : result_.row_stride}};
    const auto numbers = [&](const DotOperand& operand) {
      if (dtype == DType::bf16 || operand.stored_as_bfloat16) return OperandNumbers::bf16;
      return round_to_bfloat16 ? OperandNumbers::f32_rounded : OperandNumbers::f32;
    };
    batch_.product.lhs_numbers = numbers(lhs_);
    batch_.product.rhs_numbers = numbers(rhs_);
    for (std::size_t d = 0; d < shape_.batch.size(); ++d)
      add_dimension({shape_.batch[d], {lhs_.batch_strides[d], rhs_.batch_strides[d], result_.batch_strides[d]}});
  }

  void run(const KernelContext& context) const override {
    visit_dtype(dtype_, [&]<class T>(std::type_identity<T>) {
      if constexpr (!std::is_same_v<T, bool>) run_as<T>(context);
    });
  }

  std::size_t scratch(unsigned threads) const override {
    if (dtype_ != DType::f32 && dtype_ != DType::bf16) return 0;
    // Either every thread works on a product of its own, or all on one.
    return std::max(threads * task_bytes(), aligned(wide_bytes()) + aligned(gemm_workspace(batch_.product, threads)));
  }

  double operations() const override {
    return 2.0 * static_cast<double>(Shape{shape_.batch}.elements()) * static_cast<double>(shape_.m) *
           static_cast<double>(shape_.n) * static_cast<double>(shape_.k);
  }

  std::string describe() const override {
    return "dot_general " + to_string(Shape{shape_.batch}) + " x " + std::to_string(shape_.m) + " x " +
           std::to_string(shape_.n) + " x " + std::to_string(shape_.k);
  }

 private:
  /// Together with the one before, where products lie as far apart along both as along one.
  void add_dimension(const GemmBatch::Dimension& of) {
    auto& all = batch_.dimensions;
    const auto goes_on = [&](std::int64_t GemmSteps::* step) {
      return all.back().steps.*step == of.extent * of.steps.*step;
    };
    if (!all.empty() && goes_on(&GemmSteps::lhs) && goes_on(&GemmSteps::rhs) && goes_on(&GemmSteps::out))
      all.back() = {all.back().extent * of.extent, of.steps};
    else
      all.push_back(of);
  }
  /// Of a result of f32 that is yet to become one of bf16.
  std::size_t wide_bytes() const {
    return dtype_ == DType::bf16 ? static_cast<std::size_t>(shape_.m * shape_.n) * sizeof(float) : 0;
  }
  std::size_t task_bytes() const { return aligned(wide_bytes()) + aligned(gemm_workspace(batch_.product, 1)); }

  /// Where the matrices of one product of the batch lie.
  template <class T>
  struct Places {
    const void* lhs;
    const void* rhs;
    T* out;
  };

  template <class T>
  Places<T> places(const KernelContext& context, std::int64_t b) const {
    std::int64_t lhs = lhs_.offset, rhs = rhs_.offset, out = 0;
    for (std::size_t d = shape_.batch.size(); d-- > 0; b /= shape_.batch[d]) {
      const std::int64_t index = b % shape_.batch[d];
      lhs += index * lhs_.batch_strides[d];
      rhs += index * rhs_.batch_strides[d];
      out += index * result_.batch_strides[d];
    }
    const auto at = [](const std::byte* from, std::int64_t count, OperandNumbers numbers) -> const void* {
      if constexpr (std::is_same_v<T, float>) return advanced(from, count, numbers);
      return from + count * static_cast<std::int64_t>(sizeof(T));
    };
    return {at(context.inputs[0], lhs, batch_.product.lhs_numbers),
            at(context.inputs[1], rhs, batch_.product.rhs_numbers), reinterpret_cast<T*>(context.outputs[0]) + out};
  }

  template <class T>
  void run_as(const KernelContext& context) const {
    const std::int64_t batches = Shape{shape_.batch}.elements();
    if (batches == 1) return one(places<T>(context, 0), context.scratch, context.threads);
    context.threads.share({.extent = batches, .most = batches},
                          [&](std::size_t share, std::int64_t first, std::int64_t last) {
                            some<T>(context, first, last, context.scratch + share * task_bytes());
                          });
  }

  /// The products from `first` to before `last`, one after another.
  template <class T>
  void some(const KernelContext& context, std::int64_t first, std::int64_t last, std::byte* scratch) const {
    if constexpr (std::is_same_v<T, float>) {
      const Places<float> of = places<float>(context, 0);
      gemm(batch_, {of.lhs, of.rhs, of.out}, first, last, {scratch, gemm_workspace(batch_.product, 1)}, isa_);
    } else {
      Threads alone{1};
      for (std::int64_t b = first; b < last; ++b) one(places<T>(context, b), scratch, alone);
    }
  }

  template <class T>
  void one(const Places<T>& at, std::byte* scratch, Threads& threads) const {
    const auto multiply = [&](float* out, std::byte* workspace) {
      const std::span<std::byte> space{workspace, gemm_workspace(batch_.product, threads.count())};
      gemm(batch_.product, {at.lhs, at.rhs, out}, space, isa_, threads);
    };
    if constexpr (std::is_same_v<T, float>) {
      multiply(at.out, scratch);
    } else if constexpr (std::is_same_v<T, bfloat16>) {
      float* const wide = reinterpret_cast<float*>(scratch);
      multiply(wide, scratch + aligned(wide_bytes()));
      for (std::int64_t i = 0; i < shape_.m * shape_.n; ++i) at.out[i] = bfloat16{wide[i]};
    } else {
      plain_gemm(batch_.product, static_cast<const T*>(at.lhs), static_cast<const T*>(at.rhs), at.out);
    }
  }

  DType dtype_;
  DotShape shape_;
  DotOperand lhs_, rhs_;
  DotResult result_;
  Isa isa_;
  GemmBatch batch_;
};

}  // namespace

DotResult dense_result(const DotShape& shape) {
  DotResult result{Dims(shape.batch.size()), shape.n};
  std::int64_t stride = shape.m * shape.n;
  for (std::size_t d = shape.batch.size(); d-- > 0; stride *= shape.batch[d]) result.batch_strides[d] = stride;
  return result;
}

std::unique_ptr<Kernel> dot_kernel(DType dtype, const DotShape& shape, const DotOperand& lhs, const DotOperand& rhs,
                                   const DotResult& result, bool round_to_bfloat16, Isa isa) {
  return std::make_unique<DotKernel>(dtype, shape, lhs, rhs, result, round_to_bfloat16, isa);
}

}  // namespace octet
