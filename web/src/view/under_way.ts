// What is drawn of a run once it is under way: one chunk, since all of it is wanted at that moment.
export { Figures } from "./figures";
export { LossCurve } from "./loss_curve";
export { OptionFields } from "./option_fields";
