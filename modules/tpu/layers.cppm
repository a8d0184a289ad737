/// Programs of equal layers: one of many, from two of few.
export module octet.tpu:layers;
import octet.standard;
import :fused;

export namespace octet::tpu {

/// The program that has `further` layers more in each of its stacks than `more`, which has one more than `few` and at
/// least four. What a layer computes forward and backward is what `more` has once more than `few`, between its like; it
/// is repeated, with what it reads of the layers beside it. Nothing where the two do not differ like that.
std::optional<FusedProgram> with_layers(const FusedProgram& few, const FusedProgram& more, std::int64_t further);

}  // namespace octet::tpu
