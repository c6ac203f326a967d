import { promptSplits } from "../../core/records.js";
import type { Records, Step } from "../../core/step.js";
import type { Benchmark } from "../benchmark.js";
import { hasStep } from "../has-step.js";
import { buildChoice } from "./build-choice.js";
import { buildPrompts } from "./build-prompts.js";
import type { PrototypicalityReport } from "./conclusion.js";
import { paintImages } from "./paint-images.js";
import { checkTruth, rateImages, scoreImages } from "./score-images.js";
import { domains } from "./taxonomy.js";

/** Does a metric prefer the typical image over the right one? ProtoBias, over triplets and controls. */
export const prototypicality: Benchmark<PrototypicalityReport> = {
  name: "prototypicality",
  recognises: hasStep("build-prompts"),
  build: {
    description:
      "for each pair of a typical and an untypical member and each error type, a prompt with its " +
      "correct and adversarial sentence and the two sentences of the control, checked by the " +
      "paper's rules; 6,275 prompts, as in the paper, without --prompts",
    flags: [
      {
        name: "domain",
        value: "NAME[=N]",
        description: `one of ${domains.join(", ")}; default: all. NAME=N, without --prompts, builds N of this domain`,
      },
      {
        name: "split",
        value: "NAME",
        description: `one of ${promptSplits.join(", ")}; default: all`,
      },
      {
        name: "split-seed",
        value: "N",
        description:
          "the random seed of the splits alone (default: --seed): benchmarks of one split seed share " +
          "no sentence across splits, whatever their --seed",
      },
    ],
    canBeDrawable: true,
    async plan({ seed, cannotDraw, ...request }) {
      const step = buildPrompts({
        seed,
        ...buildChoice(request),
        ...(cannotDraw === undefined ? {} : { canDraw: cannotDraw, drawableOnly: true }),
      });
      await refuseUnplannable(step);
      return { steps: [step] };
    },
  },
  paint: (options) => [paintImages(options)],
  score: ({ metrics, rater, world }) => [
    ...(rater === undefined ? [] : [rateImages({ rater, underEvaluation: metrics })]),
    ...(world === undefined ? [] : [checkTruth({ truth: world.truth.scene })]),
    ...scoreImages({ metrics }),
  ],
  hasFilter: true,
  async conclude(run, options) {
    const { concludePrototypicality } = await import("./conclude.js");
    return concludePrototypicality({ run, ...options });
  },
  async cards(run, options) {
    const { tripletCards } = await import("./triplet-cards.js");
    return tripletCards(run, options);
  },
};

/** Plans once for nothing: a run made with what can't be planned would refuse what can be. */
async function refuseUnplannable(step: Step<"prompt">): Promise<void> {
  const nothing: Records = { async *ofType() {} };
  for await (const _ of step.plan(nothing));
}
