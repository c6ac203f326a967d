import { z } from "zod";
import { listText } from "../../core/phrases.js";
import { type LocalizationStrategy, localizationStrategies } from "../../images/localize.js";
import { loadData } from "../load-data.js";
import type { LocalizedMetric } from "./localized-metrics.js";

const seenLooks = z.record(z.string(), z.array(z.enum(localizationStrategies)));

/** A question answerer of the lab's, and the strategies among a run's that it never learned from. */
export interface UnseenLooks {
  /** Such as "lab:vqa". */
  readonly answerer: string;
  readonly strategies: readonly LocalizationStrategy[];
}

/**
 * Lists the lab's answerers that a run shows images as they never learned from. Models from elsewhere are not
 * listed, since nobody here knows what they saw.
 */
export function unseenLooks(localized: readonly LocalizedMetric[]): UnseenLooks[] {
  const seen = loadData("attribute-confusion/seen-looks.yaml", seenLooks);
  return Object.entries(seen).flatMap(([answerer, learned]) => {
    const shown = new Set(
      localized.filter((one) => one.answerer === answerer).map(({ strategy }) => strategy),
    );
    const unseen = localizationStrategies.filter(
      (strategy) => shown.has(strategy) && !learned.includes(strategy),
    );
    return unseen.length === 0 ? [] : [{ answerer, strategies: unseen }];
  });
}

/** Says so in a sentence. */
export const unseenText = ({ answerer, strategies: unseen }: UnseenLooks): string =>
  `${answerer} never learned from images shown by ${listText(unseen.map(spoken), "or")}, so here these strategies are not compared fairly.`;

/** What the paper calls masking makes all else black. */
const spoken = (strategy: LocalizationStrategy): string =>
  strategy === "masking" ? "masking (black)" : strategy;
