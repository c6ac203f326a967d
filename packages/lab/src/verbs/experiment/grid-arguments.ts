import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import type { Arguments } from "touchstone-t2i/internal/core/options.js";
import { type Objective, objectives } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import { type GridDesign, paperGrid, smallGrid } from "../../experiments/ensemble/grid.js";

/** How experiments with ensembles are set up. */
export const ensembleArguments = {
  objectives: {
    kind: "text",
    value: "A,B",
    default: "per-sample-entropy",
    description: `the objectives of MMB and of Bayesian prompt ensembles (BPE): ${objectives.join(", ")}, or all`,
  },
  lambda: {
    kind: "number",
    minimum: 0.000001,
    default: 1,
    description: "the weight of the entropy; 1 as in the paper",
  },
  temperature: {
    kind: "number",
    minimum: 0.000001,
    default: 0.1,
    description: "the temperature of group membership; the paper does not give one",
  },
  seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
} as const satisfies Arguments;

interface GivenEnsemble {
  readonly objectives: string;
  readonly lambda: number;
  readonly temperature: number;
  readonly seed: number;
}

/** @throws InputError for an objective that there is not. */
export function objectivesOf({
  objectives: given,
}: Pick<GivenEnsemble, "objectives">): Objective[] {
  if (given === "all") return [...objectives];
  const names = given.split(",").map((name) => name.trim());
  return [...new Set(names)].map((name) => {
    const known = objectives.find((objective) => objective === name);
    if (known !== undefined) return known;
    throw new InputError(
      `Expected ${objectives.join(", ")} or all for --objectives but received "${name}"`,
    );
  });
}

/**
 * The paper's grid, or a small one, as far as the table of answers goes: settings for which it has
 * too few prompts, labels or pairs to cluster are left out, and said.
 *
 * @throws InputError where nothing is left.
 */
export function gridDesign(
  given: GivenEnsemble & { readonly small: boolean },
  has: { readonly prompts: number; readonly labels: number; readonly support: number },
): { readonly design: GridDesign; readonly warnings: readonly string[] } {
  const grid = given.small ? smallGrid : paperGrid;
  const warnings: string[] = [];
  const upTo = (values: readonly number[], most: number, what: string) => {
    const kept = values.filter((value) => value <= most);
    const left = values.filter((value) => value > most);
    if (left.length > 0) warnings.push(`too few ${what} for ${left.join(", ")}: there are ${most}`);
    return kept;
  };
  const prompts = upTo(grid.prompts, has.prompts, "prompts");
  const labels = upTo(grid.labels, has.labels, "pairs with a label to fit on");
  const clusters = upTo(grid.clusters, has.support, "pairs to cluster");
  const wanted = grid.supportPerCluster * largestOf(clusters);
  if (clusters.length > 0 && has.support < wanted) {
    warnings.push(
      `clusters are made of ${has.support} pairs, where the paper has ${grid.supportPerCluster} for each of up to ${largestOf(clusters)} groups`,
    );
  }
  if (prompts.length === 0 || labels.length === 0 || clusters.length === 0) {
    throw new InputError(
      `Expected at least 5 prompts, 5 labels to fit on and 4 pairs with an embedding but received ${has.prompts}, ${has.labels} and ${has.support}`,
      { hint: "For a single fit on few answers: touchstone analyze ensemble FILE" },
    );
  }
  const { lambda, temperature, seed } = given;
  return {
    design: {
      ...grid,
      prompts,
      labels,
      clusters,
      lambda,
      temperature,
      seed,
      objectives: objectivesOf(given),
    },
    warnings,
  };
}
