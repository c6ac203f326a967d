import type { TestedFinding } from "../../analysis/inference/claims.js";
import type { Comparison, EffectMetric } from "../../analysis/pairs/prototypicality-effect.js";
import type { LeftOutPrompts, Retention } from "../../analysis/pairs/retention.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { UnscoredReason } from "../../core/unscored.js";
import type { Estimate } from "../../stats/estimate.js";
import type { CardImage, Gallery } from "../disagreement-gallery.js";
import type { Provenance, UnscoredCount } from "../provenance.js";
import type { CardGroup, PairOutcome } from "./choose-cards.js";
import type { Published } from "./published.js";
import type { ScoreTime } from "./score-times.js";

/** Figures of one metric under one selection of pairs. */
export interface MetricResults extends EffectMetric {
  /** `EvaluatedMetric.id` */
  readonly metric: string;
  /** Whether the overall effect is significant among all claims; asked of the first selection. */
  readonly isEffectTold?: boolean;
}

/** Which pairs are counted: all, those a filter kept, those the truth confirms. */
export interface SelectionResults {
  /** Such as "filtered". */
  readonly name: string;
  /** Goes on after "pairs", such as "that the filter kept". */
  readonly description: string;
  readonly metrics: readonly MetricResults[];
  /** Undefined where nothing is filtered. */
  readonly retention?: Retention;
}

export interface CardScore {
  /** The key of its record; undefined where nothing was asked. */
  readonly key?: string;
  /** Null where there is no answer; `reason` then says why. */
  readonly value: number | null;
  readonly reason?: UnscoredReason;
}

/** Two images for one prompt, as figure 1 of ProtoBias shows them. */
export interface PairCard {
  readonly comparison: Comparison;
  /** Why it is shown. */
  readonly group: CardGroup;
  readonly prompt: string;
  readonly text: string;
  readonly domain: string;
  readonly knob: string;
  readonly right: string;
  readonly wrong: string;
  readonly extra: string;
  /** Who is in the right image and who in the wrong one. */
  readonly members: readonly [correct: string, adversarial: string];
  readonly correct: CardImage;
  readonly adversarial: CardImage;
  readonly scores: readonly {
    readonly metric: string;
    readonly outcome: PairOutcome;
    readonly correct: CardScore;
    readonly adversarial: CardScore;
  }[];
}

/** All that the page shows: conclusions, the records they cite, images as bytes. */
export interface PrototypicalityReport {
  readonly name: string;
  /** The images come from the lab's world of clip art. */
  readonly fromLab: boolean;
  readonly metrics: readonly EvaluatedMetric[];
  /** The first is what the verdict speaks of. */
  readonly selections: readonly [SelectionResults, ...SelectionResults[]];
  /** Failure rate of `metric` minus that of `than`, on the triplets that both scored. */
  readonly differences: readonly {
    readonly metric: string;
    readonly than: string;
    readonly difference: Estimate;
    /** Whether it is significant among all claims of the page. */
    readonly isTold?: boolean;
  }[];
  /** The verdict is about all pairs because somebody asked for that. */
  readonly unfiltered?: boolean;
  /** Scores that differ by at most this share of the larger tie. */
  readonly tieTolerance: number;
  readonly cards: readonly PairCard[];
  /** How many triplets are among the cards, and of how many they were drawn. */
  readonly drawnTriplets: { readonly cards: number; readonly of: number };
  readonly claims: { readonly paper: string; readonly findings: readonly TestedFinding[] };
  /** Time, calls and cost of scores; empty where the run's trace has none. */
  readonly times: readonly ScoreTime[];
  readonly gallery: Gallery;
  readonly unscored: readonly UnscoredCount[];
  readonly leftOut: readonly LeftOutPrompts[];
  readonly published: Published;
  /** Caveats of the data, a sentence each. */
  readonly warnings: readonly string[];
  readonly provenance: Provenance;
}
