import type { JsonObject } from "../../core/json.js";
import type { Random } from "../../core/random.js";
import type { ProtocolName } from "../../studies/config/study-config.js";

/** How a simulated person departs from the truth; each rate is known, so that estimates can be held against it. */
export interface Habits {
  /** Probability of a wrong answer to the first item. */
  readonly error: number;
  /** How much that grows by with each item, up to guessing. */
  readonly fatigue: number;
  /** From which item on they give one answer to all; never where not given. */
  readonly straightLinesFrom?: number | undefined;
  /** Probability of an item that is skipped. */
  readonly skips: number;
  /** Median seconds of a considered answer. */
  readonly seconds: number;
}

export const careful: Habits = { error: 0, fatigue: 0, skips: 0, seconds: 6 };

/** The probability of an error at the how-manieth item, from 0. */
export const errorAt = ({ error, fatigue }: Habits, place: number): number =>
  Math.min(0.5, error + fatigue * place);

/** A wrong answer to an item whose right one is known, drawn among those that can be given. */
export function wrongAnswer(
  protocol: ProtocolName,
  {
    right,
    levels,
    random,
  }: {
    readonly right: JsonObject;
    /** The levels that may be chosen, for rating and likert. */
    readonly levels: readonly number[];
    readonly random: Random;
  },
): JsonObject {
  switch (protocol) {
    case "rating":
    case "likert":
      return { value: random.pick(levels.filter((level) => level !== right.value)) };
    case "localized":
      return { value: right.value === "yes" ? "no" : "yes" };
    case "pairwise":
      return { preferred: random.pick(["a", "b"].filter((side) => side !== right.preferred)) };
    case "rubric":
      return { present: right.present !== true, images: [] };
    case "mental-image":
      return right;
  }
}
