import type { ProtocolName } from "../config/study-config.js";
import { likert } from "./likert/likert.js";
import { localized } from "./localized/localized.js";
import { mentalImage } from "./mental-image/mental-image.js";
import { pairwise } from "./pairwise/pairwise.js";
import type { Protocol } from "./protocol.js";
import { rating } from "./rating/rating.js";
import { rubric } from "./rubric/rubric.js";

/** All protocols, by name. A further one is a folder and a line here. */
export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  rating,
  likert,
  localized,
  pairwise,
  rubric,
  "mental-image": mentalImage,
};
