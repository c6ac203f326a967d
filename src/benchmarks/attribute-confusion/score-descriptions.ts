import type { Json } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import type { Metric, MetricDescription, MetricScore } from "../../core/metric.js";
import type { DescribedEntity } from "../../core/models.js";
import type { DoneRecord } from "../../core/records.js";
import type { Step } from "../../core/step.js";
import { metricSteps, type ScorePlan, truthStep } from "../score-step.js";

/** Answers each reflection and leakage question of a structure, given what is really in a picture. */
export interface AttributeCheck extends MetricDescription {
  /**
   * F1 of the true answers. Its details hold `tp`, `fp`, `tn`, `fn`, precision, recall and f1 as a
   * localised metric's do, and the questions with P(yes) 0 or 1.
   */
  check(input: {
    readonly truth: Json;
    readonly structure: readonly DescribedEntity[];
  }): MetricScore;
}

/**
 * The steps that put the question: each metric scores each image against the description that it was
 * made from, and against the same with its attributes swapped. The structure goes along with the
 * text, so that nothing has to take it apart.
 */
export const scoreDescriptions = ({
  metrics,
}: {
  readonly metrics: readonly Metric[];
}): Step<"score">[] =>
  metricSteps({ name: "score-images", metrics, plan: against(["original", "swapped"]) });

/** The step that answers, by what is truly in a picture, the questions of its description. */
export const checkAttributes = ({ truth }: { readonly truth: AttributeCheck }): Step<"score"> =>
  truthStep({
    name: "check-attributes",
    scorer: truth,
    plan: against(["original"]),
    check: (known, { structure = [] }) => truth.check({ truth: known, structure }),
  });

/** Which of a description's two texts. */
type Wording = "original" | "swapped";

const against = (wordings: readonly Wording[]): ScorePlan => ({
  parameters: { textOf: wordings },
  async *tasks(records) {
    const descriptions = new Map<Key, DoneRecord<"description">>();
    for await (const one of records.ofType("description")) {
      if (one.status === "done") descriptions.set(one.key, one);
    }
    for await (const image of records.ofType("image")) {
      const description = descriptions.get(image.prompt);
      if (image.status !== "done" || description === undefined) continue;
      for (const wording of wordings) {
        yield {
          of: image.key,
          image: image.image,
          ...(wording === "original"
            ? { text: description.text, structure: description.entities }
            : { text: description.swapped, structure: description.swappedEntities }),
        };
      }
    }
  },
});
