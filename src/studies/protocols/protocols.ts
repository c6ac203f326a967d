import { z } from "zod";
import { likert, rating } from "./levels.js";
import { localized } from "./localized.js";
import { mentalImage } from "./mental-image.js";
import { pairwise } from "./pairwise.js";
import type { Protocol } from "./protocol.js";
import { rubric } from "./rubric.js";

/** All protocols, by name. A further one is a file and a line here. */
export const protocols: Readonly<Record<string, Protocol>> = {
  rating,
  likert,
  localized,
  pairwise,
  rubric,
  "mental-image": mentalImage,
};

/** The names that a study's file may give. */
export const protocolNames = z
  .enum(Object.keys(protocols))
  .meta({ description: "what a person sees and answers" });

/** The protocol of a block, whose name was checked when the study's file was read. */
export function protocolOf(name: string): Protocol {
  const protocol = protocols[name];
  if (protocol === undefined) throw new Error(`There is no protocol ${name}`);
  return protocol;
}

/** Tells if a protocol's answers are ordered levels: these agree by Krippendorff's alpha, others by Fleiss' kappa. */
export const hasLevels = (protocol: string): boolean => protocolOf(protocol).answers === "levels";
