import { largestOf, smallestOf } from "touchstone-t2i/internal/core/arrays.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import type { LabModelName } from "../models/lab-model.js";
import type { CaptionHabit } from "../world/captions.js";
import type { ModelEvaluation } from "./evaluate-model.js";

/** A headline figure of one model from trainings that differ in nothing but their seed. */
export interface AcrossSeeds {
  readonly name: LabModelName;
  readonly figure: string;
  /** One of each training, in the order of the folders; the interval is that of the pictures. */
  readonly trainings: readonly {
    readonly seed?: number;
    readonly revision: string;
    readonly n: number;
    readonly estimate: Estimate;
  }[];
  /** Over the trainings; null where one of them has no figure. */
  readonly mean: number | null;
  readonly least: number | null;
  readonly greatest: number | null;
}

/**
 * The headline figures of every model that more than one folder has, side by side: how much of a
 * figure is chance of the training. Same pictures, so what differs is the weights.
 */
export function acrossSeeds(folders: readonly (readonly ModelEvaluation[])[]): AcrossSeeds[] {
  const [first = []] = folders;
  return first.flatMap(({ name }) => {
    const trainings = folders.flatMap(
      (models) => models.find((model) => model.name === name) ?? [],
    );
    if (trainings.length < 2) return [];
    const headlines = trainings.map(headlinesOf);
    return (headlines[0] ?? []).map(({ figure }, place) => {
      const found = headlines.flatMap((each) => each[place] ?? []);
      const values = found.flatMap(({ estimate: { value } }) => (value === null ? [] : [value]));
      const whole = values.length === found.length;
      return {
        name,
        figure,
        trainings: found.map(({ n, estimate }, index) => {
          const { trainingSeed: seed, revision = "" } = trainings[index] ?? {};
          return { ...(seed === undefined ? {} : { seed }), revision, n, estimate };
        }),
        mean: whole ? values.reduce((sum, value) => sum + value, 0) / values.length : null,
        least: whole ? smallestOf(values) : null,
        greatest: whole ? largestOf(values) : null,
      };
    });
  });
}

interface Headline {
  readonly figure: string;
  readonly n: number;
  readonly estimate: Estimate;
}

function headlinesOf(model: ModelEvaluation): Headline[] {
  const one = (
    figure: string,
    { n, ...estimate }: Estimate & { readonly n: number },
  ): Headline => ({
    figure,
    n,
    estimate: { value: estimate.value, low: estimate.low, high: estimate.high },
  });
  switch (model.kind) {
    case "question-answerer":
      return [one("right answers", model.accuracy.overall)];
    case "dual-encoder":
      return [
        one("prototypical one higher", model.prototypePreference.overall),
        ...(["skewed", "balanced"] satisfies CaptionHabit[]).map((habit) =>
          one(`retrieval@1, ${habit}`, model.retrieval[habit].imageForCaption.right),
        ),
      ];
    case "localizer":
      return [one("mean IoU", model.overlap.overall)];
    case "rater":
      return [one("true sentence above a false one", model.prefersTrue)];
    case "judge":
      return [one("better picture preferred", model.right.overall)];
  }
}
