import { fewestClusters } from "../../analysis/inference/effective-clusters.js";
import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { wilsonInterval } from "../../stats/wilson-interval.js";
import { type BlockSettings, hasLevels } from "../config/study-config.js";
import { type Aim, answerModel } from "./answer-model.js";
import { isShown, type SimulatedStudy, simulatedEstimate } from "./simulate-study.js";

export interface StudyPlanOptions {
  readonly aim: Aim;
  /** The power to reach, in (0, 1). Default 0.8. */
  readonly power?: number | undefined;
  /** Answers per item. Default: the block's. */
  readonly raters?: number | undefined;
  /** A rater's probability of a wrong answer, each as likely, in [0, 1]. Default 0.1. */
  readonly error?: number | undefined;
  /** localized, rubric: the true share of yes. Default 0.5. */
  readonly prevalence?: number | undefined;
  /** pairwise: the true share of ties. Default 0.2; 0 where the block has none. */
  readonly ties?: number | undefined;
  /** Simulated studies for each number of items. Default 500. */
  readonly simulations?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

/** The power of a study with so many items. */
export interface PlannedPoint {
  readonly items: number;
  /** The share of simulations that show it, with its 95 % Monte Carlo interval. */
  readonly power: Estimate;
  /** How many studies were simulated: fewer where the power was sought from afar. */
  readonly simulations: number;
}

export interface StudyPlan {
  /** The measure that is estimated. */
  readonly measure: "difference" | "win rate" | "Krippendorff's alpha" | "Fleiss' kappa";
  /** The fewest items found that reach the power; null with a reason where none do. */
  readonly items: number | null;
  readonly reason?: string;
  readonly ratersPerItem: number;
  readonly power: Estimate | null;
  /** The numbers of items that were tried, from the fewest up. */
  readonly curve: readonly PlannedPoint[];
}

const mostItems = 10_000;
/** Simulations while the range is sought that holds the answer. */
const coarse = 100;

/**
 * How many items a block needs, by simulation: answers are drawn from a simple model (`answerModel`) and
 * analysed as `analyze` does. The power is the share of simulations whose 95 % interval excludes a
 * difference of 0, a win rate of 0.5, or all agreement up to `kappa`. The number of items, from 30 of each
 * group on, is doubled until the power is reached, then halved in between, to one in twenty. Intervals
 * of differences and win rates come from the delta method, those of agreement from 200 resamples.
 *
 * @throws InputError for a difference that the protocol's answers can't have.
 */
export function planStudy(
  settings: BlockSettings,
  {
    aim,
    power = 0.8,
    raters = settings.ratingsPerItem,
    error = 0.1,
    prevalence = 0.5,
    ties = 0.2,
    simulations = 500,
    seed = 0,
  }: StudyPlanOptions,
): StudyPlan {
  const { protocol } = settings;
  const model = answerModel(settings, { aim, prevalence, ties });
  if ("kappa" in aim && raters < 2) {
    throw new InputError(`Expected 2 or more for raters but received ${raters}`, {
      hint: "Agreement needs two answers per item.",
    });
  }
  const study = (items: number): SimulatedStudy => {
    const itemsPerPerson = settings.itemsPerParticipant;
    return { protocol, model, aim, items, raters, error, itemsPerPerson };
  };
  const tried = new Map<number, Omit<PlannedPoint, "items">>();
  const powerAt = (items: number, times: number): number => {
    let shown = 0;
    for (let at = 0; at < times; at++) {
      const one = study(items);
      if (isShown(simulatedEstimate(one, randomFrom(seed, "study plan", at)), one)) shown += 1;
    }
    const found = wilsonInterval(shown, times);
    tried.set(items, { power: found, simulations: times });
    return found.value ?? 0;
  };
  const measure =
    "kappa" in aim
      ? hasLevels(protocol)
        ? "Krippendorff's alpha"
        : "Fleiss' kappa"
      : protocol === "pairwise"
        ? "win rate"
        : "difference";
  const planned = (items: number | null, reason?: string): StudyPlan => ({
    measure,
    items,
    ...(reason === undefined ? {} : { reason }),
    ratersPerItem: raters,
    power: items === null ? null : (tried.get(items)?.power ?? null),
    curve: [...tried].sort(([a], [b]) => a - b).map(([items, point]) => ({ items, ...point })),
  });

  const hopeless = whyNever(study(mostItems), seed);
  if (hopeless !== undefined) return planned(null, hopeless);
  // Two models' items come in pairs.
  const step = model.groups.length;
  const quick = Math.min(coarse, simulations);
  let below = 0;
  // Intervals from fewer would be too narrow, and their power too high.
  let above = step * fewestClusters;
  for (;;) {
    if (powerAt(above, quick) >= power && powerAt(above, simulations) >= power) break;
    if (above === mostItems) {
      return planned(null, `power ${power} is not reached with up to 10,000 items`);
    }
    below = above;
    above = Math.min(mostItems, 2 * above);
  }
  while (below > 0 && above - below > Math.max(step, above / 20)) {
    const middle = step * Math.round((below + above) / 2 / step);
    if (middle <= below || middle >= above) break;
    if (powerAt(middle, simulations) >= power) above = middle;
    else below = middle;
  }
  return planned(above);
}

/** Why no number of items can show it, from one study of very many. */
function whyNever(study: SimulatedStudy, seed: number): string | undefined {
  const { aim, error, model } = study;
  const count = model.answers.length;
  if (error >= (count - 1) / count) {
    return `raters with an error rate of ${error} answer by chance or worse`;
  }
  if (!("kappa" in aim)) return undefined;
  const { value } = simulatedEstimate(study, randomFrom(seed, "study plan", "expected"));
  if (value === null || value > aim.kappa) return undefined;
  const name = hasLevels(study.protocol) ? "an alpha" : "a kappa";
  return `raters with an error rate of ${error} agree by ${name} of ${value.toFixed(2)}`;
}
