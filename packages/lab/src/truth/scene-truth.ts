import type { TruthCheck } from "touchstone-t2i/internal/benchmarks/prototypicality/score-images.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { paintedTruth } from "../painter/painter.js";
import { parseSentence } from "../world/english.js";
import { holds } from "../world/truth.js";

/** Whether a picture shows what a sentence says, by what the painter says it painted. */
export const sceneTruth: TruthCheck = {
  name: "scene-truth",
  version: 1,
  statistic: "1 where every word of the sentence holds in the painted scene, else 0",
  model: "lab:truth",
  range: [0, 1],
  direction: "higher",
  check({ truth, text }) {
    const painted = paintedTruth.safeParse(truth);
    if (!painted.success) {
      throw new InputError("Expected what the lab's painter painted but received something else", {
        cause: painted.error,
      });
    }
    return { value: holds(parseSentence(text), painted.data.scene) ? 1 : 0 };
  },
};
