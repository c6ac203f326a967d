import type { Json } from "../../core/json.js";
import type { MetricDescription, MetricScore } from "../../core/metric.js";
import type { Step } from "../../core/step.js";
import { type ScorePlan, truthStep } from "../score-step.js";

/** Faults of a picture that shows another subject than its text asks for: more than all others together. */
export const anotherSubject = 10;

/** Counts how much of a text is wrong in a picture, given what is really in it: 0 where nothing is. */
export interface FaultCheck extends MetricDescription {
  check(input: { readonly truth: Json; readonly text: string }): MetricScore;
}

/** The step by which who knows what is in a picture counts what is wrong with it. */
export const countFaults = ({ truth }: { readonly truth: FaultCheck }): Step<"score"> =>
  truthStep({
    name: "count-faults",
    scorer: truth,
    plan: ofPairs,
    check: (known, { text }) => truth.check({ truth: known, text }),
  });

const ofPairs: ScorePlan = {
  parameters: {},
  async *tasks(records) {
    for await (const image of records.ofType("image")) {
      if (image.status !== "done" || (image.role !== "a" && image.role !== "b")) continue;
      yield { of: image.key, image: image.image, text: image.text };
    }
  },
};
