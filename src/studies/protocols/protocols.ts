import type { ProtocolName } from "../config/study-config.js";
import { likert, rating } from "./levels.js";
import { localized } from "./localized.js";
import { mentalImage } from "./mental-image.js";
import { pairwise } from "./pairwise.js";
import type { Protocol } from "./protocol.js";
import { rubric } from "./rubric.js";

/** All protocols, by name. A further one is a file and a line here. */
export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  rating,
  likert,
  localized,
  pairwise,
  rubric,
  "mental-image": mentalImage,
};

/** Tells if a protocol's answers are ordered levels: these agree by Krippendorff's alpha, others by Fleiss' kappa. */
export const hasLevels = (protocol: ProtocolName): boolean =>
  protocols[protocol].answers === "levels";
