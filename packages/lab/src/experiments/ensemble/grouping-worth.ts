import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import {
  chooseWeights,
  type Grouping,
  type WeightChoice,
} from "touchstone-t2i/internal/ensembles/choose-weights.js";
import {
  type LabelLikelihoods,
  labelLikelihoods,
} from "touchstone-t2i/internal/ensembles/label-likelihoods.js";
import { softMembership } from "touchstone-t2i/internal/ensembles/membership.js";
import { promptWeights } from "touchstone-t2i/internal/ensembles/prompt-weights.js";
import type { Objective } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { type AnswerRow, type ExperimentAnswers, experimentAnswers } from "./answers.js";
import { clustering, drawnLabels, drawnPrompts } from "./draws.js";
import { chosenLabels, columns } from "./grid.js";
import { estimateOf, overSeeds, recordOf, rowWeights, seedWeights } from "./held-out.js";
import { answeredPrediction } from "./prediction.js";
import { emptyReliability, type HeldOutMetric, resampledRun } from "./resampled.js";

export interface GroupingDesign {
  readonly prompts: { readonly count: number; readonly draws: number };
  readonly poolShare: number;
  readonly labels: readonly number[];
  /** Draws of labels for each draw of prompts. */
  readonly labelDraws: number;
  readonly clusters: readonly number[];
  readonly temperatures: readonly number[];
  readonly lambdas: readonly number[];
  readonly objectives: readonly Objective[];
  readonly supportPerCluster: number;
  readonly restarts: number;
  readonly iterations: number;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * Ways to weigh prompts. All but `average` choose their settings by leave-one-out likelihood: `bpe` has one
 * group; `mmb` groups of images; `placebo` the same groups, assigned to pairs at random; `oracle` the true
 * kinds of images; `free` either `bpe` or `mmb`, by the better leave-one-out likelihood.
 */
export const groupingArms = ["average", "bpe", "mmb", "placebo", "oracle", "free"] as const;
export type GroupingArm = (typeof groupingArms)[number];

/** Differences between arms, and what each one measures. */
export const groupingContrasts = [
  { arm: "mmb", than: "bpe", says: "groups by images" },
  { arm: "mmb", than: "placebo", says: "groups by images, beside random ones" },
  { arm: "placebo", than: "bpe", says: "as many groups at random" },
  { arm: "oracle", than: "bpe", says: "groups by the truth" },
  { arm: "free", than: "bpe", says: "groups only where labels speak for them" },
  { arm: "bpe", than: "average", says: "weights without groups" },
] as const satisfies readonly { arm: GroupingArm; than: GroupingArm; says: string }[];

/** Gain from groups at one number of labels. */
export interface GroupingWorth {
  readonly labels: number;
  readonly arms: readonly {
    readonly arm: GroupingArm;
    readonly metrics: Readonly<Record<HeldOutMetric, Estimate>>;
  }[];
  readonly contrasts: readonly ((typeof groupingContrasts)[number] & {
    readonly metrics: Readonly<Record<HeldOutMetric, Estimate>>;
  })[];
  /** Number of fits in which `mmb` chose each number of groups, and `free` one group. */
  readonly chosen: Readonly<Record<string, number>>;
}

export interface GroupingConclusion {
  /** Held-out pairs. */
  readonly n: number;
  readonly captions: number;
  readonly pool: number;
  /** Number of true kinds of images; 0 where unknown, and then there is no oracle. */
  readonly kinds: number;
  readonly fits: number;
  readonly byLabels: readonly GroupingWorth[];
}

/** One way to group the pairs of an experiment. */
interface GroupedWay extends Omit<Grouping, "membership"> {
  /** rows x clusters. */
  readonly pool: Float64Array;
  readonly test: Float64Array;
}

/**
 * Separates what Multimodal Bayesian Prompt Ensembles (MMB) gain from grouping images and from
 * regularising weights. Every arm chooses number of groups, temperature, objective and lambda by
 * leave-one-out likelihood on the same labels, so arms differ in their groups alone. Intervals resample
 * captions and draws of prompts together; differences are paired.
 *
 * @param rows rows of one world.
 */
export function groupingWorth(
  rows: readonly AnswerRow[],
  design: GroupingDesign,
): GroupingConclusion {
  const { seed, prompts: drawn } = design;
  const testShare = 1 - design.poolShare;
  const answers = experimentAnswers(rows, { seed, testShare });
  const truth = trueGroups(rows, { seed, testShare });
  const { test, pool } = answers;
  const random = randomFrom(seed, "grouping", "resamples");
  const captions = rowWeights(test, { resamples: design.resamples, random });
  const draws = seedWeights(drawn.draws, { resamples: design.resamples, random });
  const measure = resampledRun(test.labels, captions);
  const prediction = new Float64Array(test.labels.length);
  type Runs = { labels: number; values: readonly Float64Array[] }[];
  const runs = new Map<string, Runs>();
  const chosen = new Map<number, Record<string, number>>();
  let fits = 0;

  for (let draw = 0; draw < drawn.draws; draw++) {
    const used = drawnPrompts(answers.prompts, { count: drawn.count, training: draw, seed });
    const onTest = columns(test, answers.prompts, used);
    const all = labelLikelihoods({
      labels: pool.labels,
      probabilities: columns(pool, answers.prompts, used),
      prompts: used.length,
    });
    const groups = waysToGroup(answers, { design, draw });
    const dealt = groups.map((way) => dealtAtRandom(way, randomFrom(seed, "placebo", draw)));
    const keep = (count: number, arm: GroupingArm, way: GroupedWay, weights: Float64Array) => {
      answeredPrediction({
        probabilities: onTest,
        prompts: used.length,
        membership: way.test,
        groups: way.clusters,
      })(weights, prediction);
      const name = `${count} ${arm}`;
      const before = runs.get(name) ?? [];
      runs.set(name, before);
      before.push({ labels: draw, values: measure(prediction, emptyReliability()) });
      fits++;
    };
    const one = oneGroup(answers);
    for (const count of design.labels) {
      for (let labels = 0; labels < design.labelDraws; labels++) {
        const which = drawnLabels(pool, {
          count,
          labels: draw * design.labelDraws + labels,
          seed,
        });
        const likelihoods = chosenLabels(all, which);
        const weigh = (ways: readonly GroupedWay[]) => fitted(ways, { likelihoods, which, design });
        keep(count, "average", one, new Float64Array(used.length).fill(1 / used.length));
        const single = weigh([one]);
        keep(count, "bpe", one, single.weights);
        const grouped = weigh(groups);
        keep(count, "mmb", grouped.way, grouped.weights);
        const placebo = weigh(dealt);
        keep(count, "placebo", placebo.way, placebo.weights);
        if (truth !== undefined) {
          const oracle = weigh([truth]);
          keep(count, "oracle", oracle.way, oracle.weights);
        }
        const free = grouped.nll < single.nll ? grouped : single;
        keep(count, "free", free.way, free.weights);
        const tally = chosen.get(count) ?? {};
        chosen.set(count, tally);
        for (const name of [
          `mmb ${grouped.way.clusters}`,
          ...(free === single ? ["free 1"] : []),
        ]) {
          tally[name] = (tally[name] ?? 0) + 1;
        }
      }
    }
  }

  const resampled = (count: number, arm: GroupingArm, metric: number) =>
    overSeeds({ runs: runs.get(`${count} ${arm}`) ?? [] }, metric, draws);
  return {
    n: test.labels.length,
    captions: test.groups,
    pool: pool.labels.length,
    kinds: truth?.clusters ?? 0,
    fits,
    byLabels: design.labels.map((count) => {
      const there = groupingArms.filter((arm) => runs.has(`${count} ${arm}`));
      return {
        labels: count,
        arms: there.map((arm) => ({
          arm,
          metrics: recordOf((_, at) => estimateOf(resampled(count, arm, at))),
        })),
        contrasts: groupingContrasts
          .filter(({ arm, than }) => there.includes(arm) && there.includes(than))
          .map((contrast) => ({
            ...contrast,
            metrics: recordOf((_, at) => {
              const less = resampled(count, contrast.than, at);
              return estimateOf(
                resampled(count, contrast.arm, at).map((value, i) => value - (less[i] ?? 0)),
              );
            }),
          })),
        chosen: chosen.get(count) ?? {},
      };
    }),
  };
}

const oneGroup = ({ test, pool }: ExperimentAnswers): GroupedWay => ({
  clusters: 1,
  temperature: null,
  test: new Float64Array(test.labels.length).fill(1),
  pool: new Float64Array(pool.labels.length).fill(1),
});

/** Returns the true kinds as groups; undefined where a row has no kind. */
function trueGroups(
  rows: readonly AnswerRow[],
  options: { readonly seed: number; readonly testShare: number },
): GroupedWay | undefined {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  if (kinds.includes(undefined)) return undefined;
  // One-hot kinds as embeddings, so that rows are split as with their own embeddings.
  const { test, pool } = experimentAnswers(
    rows.map((row) => ({ ...row, embedding: kinds.map((kind) => (kind === row.kind ? 1 : 0)) })),
    options,
  );
  return {
    clusters: kinds.length,
    temperature: null,
    test: test.embeddings,
    pool: pool.embeddings,
  };
}

function waysToGroup(
  { support, dimensions, test, pool }: ExperimentAnswers,
  { design, draw }: { readonly design: GroupingDesign; readonly draw: number },
): GroupedWay[] {
  return design.clusters.flatMap((clusters) => {
    const { centroids } = clustering(support, dimensions, {
      ...design,
      clusters,
      cluster: draw,
      temperature: 1,
    });
    return design.temperatures.map((temperature) => {
      const member = (points: Float64Array) =>
        softMembership({ points, centroids, dimensions, temperature });
      return {
        clusters,
        temperature,
        test: member(test.embeddings),
        pool: member(pool.embeddings),
      };
    });
  });
}

/** Shuffles memberships over pairs. */
function dealtAtRandom(way: GroupedWay, random: ReturnType<typeof randomFrom>): GroupedWay {
  const dealt = (membership: Float64Array) => {
    const { clusters } = way;
    const rows = Array.from({ length: membership.length / clusters }, (_, row) => row);
    const into = new Float64Array(membership.length);
    random.shuffle(rows).forEach((from, row) => {
      into.set(membership.subarray(from * clusters, (from + 1) * clusters), row * clusters);
    });
    return into;
  };
  return { ...way, test: dealt(way.test), pool: dealt(way.pool) };
}

function fitted(
  ways: readonly GroupedWay[],
  {
    likelihoods,
    which,
    design: { objectives, lambdas },
  }: {
    readonly likelihoods: LabelLikelihoods;
    readonly which: Int32Array;
    readonly design: GroupingDesign;
  },
): { readonly way: GroupedWay; readonly weights: Float64Array; readonly nll: number } {
  const groupings: Grouping[] = ways.map(({ clusters, temperature, pool }) => {
    const membership = new Float64Array(which.length * clusters);
    which.forEach((row, at) => {
      membership.set(pool.subarray(row * clusters, (row + 1) * clusters), at * clusters);
    });
    return { clusters, temperature, membership };
  });
  const { chosen, grouping }: WeightChoice = chooseWeights({
    likelihoods,
    groupings,
    objectives,
    lambdas,
  });
  const way = ways[groupings.indexOf(grouping)];
  if (way === undefined) throw new RangeError("Expected one of the groupings");
  const { weights } = promptWeights(
    { likelihoods, membership: grouping.membership, groups: grouping.clusters },
    chosen,
  );
  return { way, weights, nll: chosen.leaveOneOutNll };
}
