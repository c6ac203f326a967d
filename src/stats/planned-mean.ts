import { square } from "./elementary/powers.js";
import { criticalT } from "./incomplete-beta.js";
import type { LabelledSample, PredictionPoweredMean } from "./prediction-powered.js";

/** How each labelled item was drawn. */
export interface LabelDraws {
  /** 1 / probability of each labelled item in its round; NaN for one that was not drawn: it stands for itself. */
  readonly weight: ArrayLike<number>;
  /** The round of each; 0 for labels before the first plan. */
  readonly round: ArrayLike<number>;
  /** The stratum that each was drawn from, as a number. */
  readonly stratum: ArrayLike<number>;
}

/** Weights of labels from several rounds. */
export interface RoundWeights {
  /** How many items each label stands for, all rounds together. */
  readonly total: Float64Array;
  /** The part that the draw of its own round adds; 0 for one that was not drawn. */
  readonly drawn: Float64Array;
  /** Precisions of all rounds, as `roundPrecision` gives them, summed. */
  readonly precision: number;
}

/**
 * The precision of a round's estimate, were its labels drawn alike: 1 / (items^2 (1 / labels - 1 / items)). It is known
 * before the answers are; a round that asked about all items is next to exact.
 *
 * @param items those without a label before the round.
 */
export const roundPrecision = (labels: number, items: number): number =>
  1 / (items * Math.max(items / labels - 1, 1e-9));

/**
 * Weights of labels that were drawn in rounds. Round r draws from the items without a label, so its own estimate of
 * the sum over all items is the labels of earlier rounds plus, of round r, each label times 1 / probability; each is
 * unbiased, whatever earlier rounds said. They are combined with weights l_r in proportion to their precisions,
 * which are fixed before the answers are seen, so label i of round r has the weight l_r / p_i + l_(r+1) + l_(r+2) + ….
 * Without a weight an item stands for itself alone.
 *
 * @example roundWeights({ weight: [4, 2], round: [1, 2], stratum: [0, 0] }).total // [1.4285…, 1.7142…]
 */
export function roundWeights({ weight, round }: LabelDraws): RoundWeights {
  const length = weight.length;
  const rounds = new Map<number, { labels: number; items: number; share: number; later: number }>();
  for (let at = 0; at < length; at++) {
    if (Number.isNaN(weight[at] ?? Number.NaN)) continue;
    const its = rounds.get(round[at] ?? 1) ?? { labels: 0, items: 0, share: 0, later: 0 };
    its.labels += 1;
    its.items += weight[at] ?? 0;
    rounds.set(round[at] ?? 1, its);
  }
  let precision = 0;
  for (const its of rounds.values()) precision += roundPrecision(its.labels, its.items);
  let later = 0;
  for (const [, its] of [...rounds].sort(([a], [b]) => b - a)) {
    its.share = roundPrecision(its.labels, its.items) / precision;
    its.later = later;
    later += its.share;
  }
  const total = new Float64Array(length).fill(1);
  const drawn = new Float64Array(length);
  for (let at = 0; at < length; at++) {
    const its = rounds.get(round[at] ?? 1);
    if (its === undefined || Number.isNaN(weight[at] ?? Number.NaN)) continue;
    drawn[at] = its.share * (weight[at] ?? 0);
    total[at] = (drawn[at] ?? 0) + its.later;
  }
  return { total, drawn, precision };
}

/** Labels that were drawn with probabilities of their own, and a metric's scores of them and of the others. */
export type PlannedSample = LabelledSample & LabelDraws;

/** One stratum of one round: where its labels are, and their weighted means. */
interface Cell {
  readonly places: number[];
  human: number;
  metric: number;
}

/**
 * Estimates people's mean rating over all items from labels drawn with unequal probabilities (active statistical
 * inference; Zrnic and Candès 2024): theta = lambda mean(f) + sum w (y - lambda f) / sum w, with w as `roundWeights`
 * says (a Hájek estimator: drawn in strata, the w sum to the number of items), f the metric, and lambda minimising
 * the variance within strata, cut to [0, largestWeight]; 0 where no item without a label has a score.
 *
 * The 95 % interval is theta +- t se. se^2 sums over clusters the squared sums of
 * drawn weight / sum w x sqrt(n / (n - 1)) sqrt(1 - p) (r - mean of its stratum), with r = y - lambda f and n the
 * labels of the stratum and round, and adds the variance of y over its number of items, as items are a sample, too.
 * Degrees of freedom by Satterthwaite over strata, each variance's square divided by (1 + 2 / its degrees), by which it
 * is too large on average (Rust and Rao 1996); lambda costs one.
 *
 * @returns without an interval where fewer than three labels were drawn, or all agree.
 */
export function plannedMean(sample: PlannedSample): PredictionPoweredMean {
  const { human, metric, others, clusters, largestWeight = 1 } = sample;
  const n = human.length;
  if (n === 0) {
    return {
      value: null,
      low: null,
      high: null,
      error: null,
      weight: 0,
      reason: "nothing is labelled",
    };
  }
  const { total, drawn } = roundWeights(sample);
  const items = sumOver(n, (at) => total[at] ?? 0);
  const cells = cellsOf(sample, drawn);
  const cellOf: (Cell | undefined)[] = Array.from({ length: n });
  for (const cell of cells) for (const at of cell.places) cellOf[at] = cell;
  /** How much a label's distance from the mean of its stratum moves the estimate. */
  const lever = Float64Array.from({ length: n }, (_, at) => {
    const size = cellOf[at]?.places.length ?? 0;
    const share = 1 - 1 / (sample.weight[at] ?? 1);
    return size < 2
      ? 0
      : ((drawn[at] ?? 0) / items) * Math.sqrt((size / (size - 1)) * Math.max(0, share));
  });
  const lambda =
    others.length === 0
      ? 0
      : Math.min(largestWeight, Math.max(0, tuned(sample, { cellOf, lever })));
  const meanOfAll =
    lambda === 0
      ? 0
      : (sumOver(n, (at) => metric[at] ?? 0) + sumOver(others.length, (at) => others[at] ?? 0)) /
        (n + others.length);
  const rest = (at: number) => (human[at] ?? 0) - lambda * (metric[at] ?? 0);
  const value = lambda * meanOfAll + sumOver(n, (at) => (total[at] ?? 0) * rest(at)) / items;
  const without = { value, low: null, high: null, error: null, weight: lambda };
  if (drawn.filter((each) => each > 0).length < 3) {
    return { ...without, reason: "too few labels for an interval" };
  }
  const first = human[0] ?? 0;
  if (Array.from(human).every((label) => label === first)) {
    return { ...without, reason: "all labels agree, so nothing says how far they could differ" };
  }
  const labels = sumOver(n, (at) => (total[at] ?? 0) * (human[at] ?? 0)) / items;
  const moves = new Map<
    number,
    { ofDraw: number; ofItems: number; weight: number; count: number }
  >();
  for (let at = 0; at < n; at++) {
    const cluster = clusters?.labelled[at] ?? at;
    const its = moves.get(cluster) ?? { ofDraw: 0, ofItems: 0, weight: 0, count: 0 };
    const cell = cellOf[at];
    its.ofDraw +=
      (lever[at] ?? 0) * (rest(at) - ((cell?.human ?? 0) - lambda * (cell?.metric ?? 0)));
    its.ofItems += (human[at] ?? 0) - labels;
    its.weight += total[at] ?? 0;
    its.count += 1;
    moves.set(cluster, its);
  }
  let [ofDraw, ofItems] = [0, 0];
  for (const its of moves.values()) {
    ofDraw += square(its.ofDraw);
    ofItems += (its.weight / its.count) * square(its.ofItems / items);
  }
  const freedom =
    freedomOf(cells, (at) => square((lever[at] ?? 0) * offCell(at))) - (lambda > 0 ? 1 : 0);
  function offCell(at: number): number {
    const cell = cellOf[at];
    return rest(at) - ((cell?.human ?? 0) - lambda * (cell?.metric ?? 0));
  }
  if (freedom < 1) return { ...without, reason: "too few labels for an interval" };
  const lost = lambda > 0 ? (freedom + 1) / freedom : 1;
  const error = Math.sqrt(lost * ofDraw + ofItems);
  const margin = criticalT(0.05, freedom) * error;
  return { value, low: value - margin, high: value + margin, error, weight: lambda };
}

/** The strata of each round, those with one label put together, since alone they tell no variance. */
function cellsOf(
  { human, metric, weight, round, stratum }: PlannedSample,
  drawn: Float64Array,
): Cell[] {
  const places = new Map<string, number[]>();
  for (let at = 0; at < human.length; at++) {
    if ((drawn[at] ?? 0) === 0) continue;
    const name = `${round[at] ?? 1} ${stratum[at] ?? 0}`;
    places.set(name, [...(places.get(name) ?? []), at]);
  }
  const all = [...places.values()];
  const alone = all.filter(({ length }) => length === 1).flat();
  const several = all.filter(({ length }) => length > 1);
  const [smallest = []] = [...several].sort((a, b) => a.length - b.length);
  const found =
    alone.length === 1 && several.length > 0
      ? [...several.filter((each) => each !== smallest), [...smallest, ...alone]]
      : [...several, ...(alone.length > 0 ? [alone] : [])];
  return found.map((its) => {
    const sum = its.reduce((so, at) => so + (weight[at] ?? 0), 0);
    const mean = (of: ArrayLike<number>) =>
      its.reduce((so, at) => so + (weight[at] ?? 0) * (of[at] ?? 0), 0) / sum;
    return { places: its, human: mean(human), metric: mean(metric) };
  });
}

/** The lambda of least variance within strata; 0 where the metric does not vary there. */
function tuned(
  { human, metric }: PlannedSample,
  {
    cellOf,
    lever,
  }: { readonly cellOf: readonly (Cell | undefined)[]; readonly lever: Float64Array },
): number {
  let [together, spread] = [0, 0];
  for (let at = 0; at < human.length; at++) {
    const cell = cellOf[at];
    if (cell === undefined) continue;
    const off = (metric[at] ?? 0) - cell.metric;
    together += square(lever[at] ?? 0) * off * ((human[at] ?? 0) - cell.human);
    spread += square(lever[at] ?? 0) * square(off);
  }
  return spread > 0 ? together / spread : 0;
}

/** Degrees of freedom of a sum of variances of strata (Satterthwaite 1946), without the bias of few labels a stratum. */
function freedomOf(cells: readonly Cell[], part: (at: number) => number): number {
  let [sum, squares] = [0, 0];
  for (const { places } of cells) {
    const its = places.reduce((so, at) => so + part(at), 0);
    sum += its;
    if (places.length > 1) squares += square(its) / (places.length + 1);
  }
  const most = cells.reduce((so, { places }) => so + places.length - 1, 0);
  return squares > 0 ? Math.min(most, square(sum) / squares - 2) : most;
}

function sumOver(count: number, of: (at: number) => number): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += of(at);
  return sum;
}
