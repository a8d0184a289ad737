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
    product_ = {.m = shape_.m,
                .n = shape_.n,
                .k = shape_.k,
                .lhs_row = lhs_.free_stride,
                .lhs_column = lhs_.contracted_stride,
                .rhs_row = rhs_.contracted_stride,
                .rhs_column = rhs_.free_stride,
                .out_row = result_.row_stride,
                .round_to_bfloat16 = round_to_bfloat16};
    if (dtype == DType::bf16) {
      // Widened to dense f32 first; products of bf16 are exact, so fused or not gives the same bits.
      product_.lhs_row = product_.k, product_.lhs_column = 1;
      product_.rhs_row = product_.n, product_.rhs_column = 1;
      product_.round_to_bfloat16 = true;
    }
  }

  void run(const KernelContext& context) const override {
    visit_dtype(dtype_, [&]<class T>(std::type_identity<T>) {
      if constexpr (!std::is_same_v<T, bool>) run_as<T>(context);
    });
  }

  std::size_t scratch(unsigned threads) const override {
    if (dtype_ != DType::f32 && dtype_ != DType::bf16) return 0;
    // Either every thread works on a product of its own, or all on one.
    return std::max(threads * task_bytes(), aligned(widened_bytes()) + aligned(gemm_workspace(product_, threads)));
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
  std::size_t widened_bytes() const {
    if (dtype_ != DType::bf16) return 0;
    return static_cast<std::size_t>(shape_.m * shape_.k + shape_.k * shape_.n + shape_.m * shape_.n) * sizeof(float);
  }
  std::size_t task_bytes() const { return aligned(widened_bytes()) + aligned(gemm_workspace(product_, 1)); }

  /// Where the matrices of one product of the batch lie.
  template <class T>
  struct Places {
    const T* lhs;
    const T* rhs;
    T* out;
  };

  template <class T>
  Places<T> places(const KernelContext& context, std::int64_t b) const {
    Places<T> at{reinterpret_cast<const T*>(context.inputs[0]) + lhs_.offset,
                 reinterpret_cast<const T*>(context.inputs[1]) + rhs_.offset, reinterpret_cast<T*>(context.outputs[0])};
    for (std::size_t d = shape_.batch.size(); d-- > 0; b /= shape_.batch[d]) {
      const std::int64_t index = b % shape_.batch[d];
      at.lhs += index * lhs_.batch_strides[d];
      at.rhs += index * rhs_.batch_strides[d];
      at.out += index * result_.batch_strides[d];
    }
    return at;
  }

  template <class T>
  void run_as(const KernelContext& context) const {
    const std::int64_t batches = Shape{shape_.batch}.elements();
    if (batches == 1) return one(places<T>(context, 0), context.scratch, context.threads);
    const auto tasks = std::min<std::int64_t>(batches, context.threads.count());
    context.threads.for_each(static_cast<std::size_t>(tasks), [&](std::size_t task) {
      const auto t = static_cast<std::int64_t>(task);
      some<T>(context, batches * t / tasks, batches * (t + 1) / tasks, context.scratch + task * task_bytes());
    });
  }

  /// The products from `first` to before `last`, one after another.
  template <class T>
  void some(const KernelContext& context, std::int64_t first, std::int64_t last, std::byte* scratch) const {
    Threads alone{1};
    for (std::int64_t b = first; b < last; ++b) {
      if constexpr (std::is_same_v<T, float>) {
        const auto at = [&](std::int64_t index) {
          const Places<float> of = places<float>(context, index);
          return GemmPlaces{of.lhs, of.rhs, of.out};
        };
        const GemmPlaces following = at(std::min(b + 1, last - 1));
        gemm(product_, at(b), b + 1 < last ? &following : nullptr,
             std::span<std::byte>{scratch, gemm_workspace(product_, 1)}, isa_);
      } else {
        one(places<T>(context, b), scratch, alone);
      }
    }
  }

  template <class T>
  void one(const Places<T>& at, std::byte* scratch, Threads& threads) const {
    const auto [lhs, rhs, out] = at;
    const auto multiply = [&](const float* l, const float* r, float* o, std::byte* workspace) {
      const std::span<std::byte> space{workspace, gemm_workspace(product_, threads.count())};
      gemm(product_, l, r, o, space, isa_, threads);
    };
    if constexpr (std::is_same_v<T, float>) {
      multiply(lhs, rhs, out, scratch);
    } else if constexpr (std::is_same_v<T, bfloat16>) {
      float* const left = reinterpret_cast<float*>(scratch);
      float* const right = left + shape_.m * shape_.k;
      float* const wide = right + shape_.k * shape_.n;
      for (std::int64_t i = 0; i < shape_.m; ++i)
        for (std::int64_t p = 0; p < shape_.k; ++p)
          left[i * shape_.k + p] = static_cast<float>(lhs[i * lhs_.free_stride + p * lhs_.contracted_stride]);
      for (std::int64_t p = 0; p < shape_.k; ++p)
        for (std::int64_t j = 0; j < shape_.n; ++j)
          right[p * shape_.n + j] = static_cast<float>(rhs[p * rhs_.contracted_stride + j * rhs_.free_stride]);
      multiply(left, right, wide, scratch + aligned(widened_bytes()));
      for (std::int64_t i = 0; i < shape_.m * shape_.n; ++i) out[i] = bfloat16{wide[i]};
    } else {
      plain_gemm(product_, lhs, rhs, out);
    }
  }

  DType dtype_;
  DotShape shape_;
  DotOperand lhs_, rhs_;
  DotResult result_;
  Isa isa_;
  Gemm product_;
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
