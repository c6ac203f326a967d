import { log } from "../stats/elementary/logarithm.js";
import { type LabelLikelihoods, leastLikelihood } from "./label-likelihoods.js";
import { mixtureWeights } from "./mixture-weights.js";
import { type ClosedFormSums, closedFormSums, weightsFromSums } from "./prompt-weights.js";
import { type Objective, objectives, type WeightProblem } from "./weight-problem.js";

/** One way to group images. */
export interface Grouping {
  readonly clusters: number;
  /** Null of one group, where it decides nothing. */
  readonly temperature: number | null;
  /** p(z | x_j) of each of the likelihoods' labels: labels x clusters. */
  readonly membership: Float64Array;
}

/** One way to weigh prompts, and how well it foresees labels that it has not seen. */
export interface WeightCandidate {
  readonly objective: Objective;
  readonly lambda: number;
  readonly clusters: number;
  readonly temperature: number | null;
  /** The mean of -ln p(y_j | x_j) with weights fitted without label j; NaN without labels. */
  readonly leaveOneOutNll: number;
}

export interface WeightChoice {
  /** The candidate with the lowest value; of equal ones the first. */
  readonly chosen: WeightCandidate;
  readonly grouping: Grouping;
  /** All that were tried: groupings x objectives x lambdas, in this order. */
  readonly candidates: readonly WeightCandidate[];
  /** Into how many parts the labels were dealt: one each for at most 50 labels, else 20. */
  readonly folds: number;
}

/** With more labels several are left out at once: twenty fits say nearly as much as hundreds. */
const mostLeftOutAlone = 50;
const partsOfMore = 20;
/** Values of lambda that are tried where none is given. */
export const defaultLambdas: readonly number[] = [0.1, 0.3, 1, 3];

/**
 * Chooses objective, lambda, number of groups and temperature by how well weights that are fitted
 * without a label foresee it. With few labels that is a noisy guide: the candidates come along.
 *
 * @param options.groupings from the simplest on: of equal ones the first is chosen.
 * @throws RangeError without a grouping, an objective or a lambda.
 */
export const chooseWeights = (options: ChoosingOptions): WeightChoice =>
  toTheEnd(choosingWeights(options));

export interface ChoosingOptions {
  readonly likelihoods: LabelLikelihoods;
  readonly groupings: readonly Grouping[];
  readonly objectives?: readonly Objective[];
  readonly lambdas?: readonly number[];
}

/** The same, a candidate at a time: yields the share of them that has been tried. */
export function* choosingWeights({
  likelihoods,
  groupings,
  objectives: tried = objectives,
  lambdas = defaultLambdas,
}: ChoosingOptions): Generator<number, WeightChoice> {
  const parts = folds(likelihoods.labels);
  const settings = tried.flatMap((objective) => lambdas.map((lambda) => ({ objective, lambda })));
  const tries = groupings.length * settings.length;
  const pairs: { readonly grouping: Grouping; readonly candidate: WeightCandidate }[] = [];
  for (const grouping of groupings) {
    const { clusters, temperature, membership } = grouping;
    const problem = { likelihoods, membership, groups: clusters };
    // All closed forms of a grouping are fitted from the same sums.
    const summed = parts.map((part) => ({
      ...part,
      sums: closedFormSums({ ...problem, chosen: part.kept }),
    }));
    for (const { objective, lambda } of settings) {
      const leaveOneOutNll = foreseen(problem, { objective, lambda, parts: summed });
      const candidate = { objective, lambda, clusters, temperature, leaveOneOutNll };
      pairs.push({ grouping, candidate });
      yield pairs.length / tries;
    }
  }
  const [first, ...others] = pairs;
  if (first === undefined) throw new RangeError("Expected a grouping, an objective and a lambda");
  const best = others.reduce(
    (least, each) =>
      each.candidate.leaveOneOutNll < least.candidate.leaveOneOutNll ? each : least,
    first,
  );
  return {
    chosen: best.candidate,
    grouping: best.grouping,
    candidates: pairs.map(({ candidate }) => candidate),
    folds: parts.length,
  };
}

interface Part {
  readonly left: Int32Array;
  readonly kept: Int32Array;
}

function folds(labels: number): Part[] {
  const count = labels > mostLeftOutAlone ? partsOfMore : labels;
  const all = Int32Array.from({ length: labels }, (_, label) => label);
  return Array.from({ length: count }, (_, part) => ({
    left: all.filter((label) => label % count === part),
    kept: all.filter((label) => label % count !== part),
  }));
}

function foreseen(
  problem: WeightProblem,
  {
    objective,
    lambda,
    parts,
  }: {
    readonly objective: Objective;
    readonly lambda: number;
    readonly parts: readonly (Part & { readonly sums: ClosedFormSums })[];
  },
): number {
  const { likelihoods, groups } = problem;
  const weights = new Float64Array(groups * likelihoods.prompts);
  // Without one label the best is close to where it is with all.
  const whole =
    objective === "mixture" ? mixtureWeights(problem, { lambda, tolerance: 1e-3 }, weights) : null;
  let sum = 0;
  for (const { left, kept, sums } of parts) {
    if (objective !== "mixture") weightsFromSums(sums, { objective, lambda }, weights);
    else {
      const without = { ...problem, chosen: kept };
      const start = Float64Array.from(kept, (label) => whole?.dual[label] ?? 0);
      mixtureWeights(without, { lambda, tolerance: 1e-5, start }, weights);
    }
    for (const label of left) {
      sum -= log(Math.max(leastLikelihood, predicted(problem, weights, label)));
    }
  }
  return sum / likelihoods.labels;
}

/** p(y_j | x_j) of one label under weights. */
function predicted(
  { likelihoods, membership, groups }: WeightProblem,
  weights: Float64Array,
  label: number,
): number {
  const { prompts, likelihood } = likelihoods;
  let sum = 0;
  for (let group = 0; group < groups; group++) {
    let inGroup = 0;
    for (let prompt = 0; prompt < prompts; prompt++) {
      inGroup +=
        (weights[group * prompts + prompt] ?? 0) * (likelihood[label * prompts + prompt] ?? 0);
    }
    sum += (membership[label * groups + group] ?? 0) * inGroup;
  }
  return sum;
}

/** Does work that yields how far it has come, without a look aside; what it comes to. */
export function toTheEnd<Result>(work: Generator<unknown, Result>): Result {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}
