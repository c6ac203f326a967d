import type { AttributeCheck } from "touchstone-t2i/internal/benchmarks/attribute-confusion/score-descriptions.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { localizedQuestionsOf } from "touchstone-t2i/internal/metrics/localized-convention.js";
import {
  localizedCounts,
  localizedScore,
} from "touchstone-t2i/internal/stats/localized-answers.js";
import { paintedTruth } from "../painter/painter.js";
import type { Scene } from "../world/scene.js";

/**
 * Whether attributes stand on the entities they were meant for, by what the painter says it painted:
 * the reference that people's localised answers are elsewhere.
 */
export const attributeTruth: AttributeCheck = {
  name: "attribute-truth",
  version: 1,
  convention: "f1:paper",
  statistic: "F1 of the true answers",
  model: "lab:truth",
  range: [0, 1],
  direction: "higher",
  check({ truth, structure }) {
    const painted = paintedTruth.safeParse(truth);
    if (!painted.success) {
      throw new InputError("Expected what the lab's painter painted but received something else", {
        cause: painted.error,
      });
    }
    const { scene } = painted.data;
    const questions = localizedQuestionsOf(structure, "paper").map(({ on, ...question }) => ({
      ...question,
      probability: hasAttribute(scene, question) ? 1 : 0,
    }));
    const answers = (kind: "reflection" | "leakage") =>
      questions.filter((one) => one.kind === kind).map(({ probability }) => probability);
    const counts = localizedCounts({
      reflection: answers("reflection"),
      leakage: answers("leakage"),
    });
    const score = (name: "precision" | "recall" | "f1") => localizedScore(name, counts);
    const precision = score("precision");
    return {
      value: score("f1"),
      details: {
        ...counts,
        precision: Number.isNaN(precision) ? null : precision,
        recall: score("recall"),
        f1: score("f1"),
        questions,
      },
    };
  },
};

/** Whether there is such an entity and it has the attribute: a colour, a pattern. */
export function hasAttribute(
  { person, display = [], extras }: Scene,
  { entity, attribute }: { readonly entity: string; readonly attribute: string },
): boolean {
  return (
    [...(person?.garments ?? []), ...display].some(
      ({ kind, colour, pattern }) =>
        kind === entity && (colour === attribute || pattern === attribute),
    ) || extras.some(({ kind, colour }) => kind === entity && colour === attribute)
  );
}
