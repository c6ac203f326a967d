import { InputError } from "../../../core/errors.js";
import type { Recipe } from "../../../core/recipe.js";

/** The benchmarks that a run can be scored and reported for, the first where nobody says. */
export const benchmarks = ["prototypicality", "attribute-confusion"] as const;
export type Benchmark = (typeof benchmarks)[number];

/** By the step that only its runs have, what else a run can hold, and what is done with that. */
const others = [
  {
    step: "build-pairs",
    holds: "preference",
    hint: "Its pairs.jsonl is a table of labels: touchstone calibrate RUN/pairs.jsonl --model lab:judge",
  },
  {
    step: "build-queries",
    holds: "stereotypes",
    hint: "Its images are audited, not scored: touchstone audit, then touchstone report",
  },
  {
    step: "judge-pairs",
    holds: "a judge's answers",
    hint: "It goes on by touchstone run resume; what came of it, calibrate and judge print",
  },
] as const;

type Holding = Benchmark | (typeof others)[number]["holds"];
type Steps = Pick<Recipe, "steps">;

const has = ({ steps }: Steps, step: string) => steps.some(({ name }) => name === step);

/** What a run holds, by the step that built it. */
export function holdingOf(recipe: Steps): Holding {
  if (has(recipe, "build-descriptions")) return "attribute-confusion";
  return others.find(({ step }) => has(recipe, step))?.holds ?? "prototypicality";
}

/**
 * Which benchmark a run holds.
 *
 * @throws InputError where it holds something that is not scored or reported as these are.
 */
export function benchmarkOf(recipe: Steps): Benchmark {
  const holding = holdingOf(recipe);
  const known = benchmarks.find((each) => each === holding);
  if (known !== undefined) return known;
  const hint = others.find(({ holds }) => holds === holding)?.hint;
  throw new InputError(
    `Expected a run of ${benchmarks.join(" or ")} but received one of ${holding}`,
    hint === undefined ? {} : { hint },
  );
}

/** @throws InputError where the run holds the other benchmark already: a run is of one. */
export function refuseOtherBenchmark(recipe: Steps, benchmark: Benchmark): void {
  const found = holdingOf(recipe);
  if (recipe.steps.length === 0 || found === benchmark) return;
  throw new InputError(
    `Expected a run of ${benchmark}, or a new folder, but received one of ${found}`,
    { hint: "Give another folder: --run DIR" },
  );
}
