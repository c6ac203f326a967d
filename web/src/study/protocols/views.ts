import { Likert, Rating } from "./levels.js";
import { Localized } from "./localized.js";
import { MentalImage } from "./mental-image.js";
import { Pairwise } from "./pairwise.js";
import { Rubric } from "./rubric.js";
import type { View } from "./view.js";

/** How each protocol looks, by the name that a server said. */
export const protocolViews: Readonly<Record<string, View>> = {
  rating: Rating,
  likert: Likert,
  localized: Localized,
  pairwise: Pairwise,
  rubric: Rubric,
  "mental-image": MentalImage,
};
