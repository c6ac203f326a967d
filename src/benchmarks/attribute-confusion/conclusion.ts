import { z } from "zod";
import type { QuestionKind } from "../../analysis/confusion/attributed-images.js";
import type { GroupedConclusion } from "../../analysis/correlation/grouped-correlation.js";
import { countTargets } from "../../analysis/correlation/grouping.js";
import type { TestedFinding } from "../../analysis/inference/claims.js";
import type { SwapConclusion } from "../../analysis/pairs/swap.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { LocalizationStrategy } from "../../images/localize.js";
import type { Thumbnail } from "../../images/thumbnail.js";
import type { Estimate } from "../../stats/estimate.js";
import type { LocalizedScore } from "../../stats/localized-answers.js";
import type { CardImage, Gallery } from "../disagreement-gallery.js";
import { loadData } from "../load-data.js";
import type { PairOutcome } from "../prototypicality/choose-cards.js";
import type { CardScore } from "../prototypicality/conclusion.js";
import type { Provenance, UnscoredCount } from "../provenance.js";
import type { ExchangedPart } from "./localized-metrics.js";

/** Which images the swap test counts. */
export interface SwapSelection {
  /** Such as "as described". */
  readonly name: string;
  /** Goes on after "images", such as "that show what they should". */
  readonly description: string;
  readonly images: number;
  readonly swap: SwapConclusion;
}

/** A way of computing L-VQAScore, and what it comes to. */
export interface LocalizedVariant {
  /** `EvaluatedMetric.id` */
  readonly metric: string;
  readonly strategy: LocalizationStrategy;
  /** Whose leakage questions. */
  readonly leakage: string;
  /** Who answers the questions, and who finds the entities. */
  readonly answerer: string;
  readonly localizer: string;
  /** Parts in which it differs from the headline metric; empty for that one itself. */
  readonly exchanged: readonly ExchangedPart[];
  readonly swapFailure: Estimate;
  readonly swapTies: Estimate;
  readonly n: number;
  readonly spearman: Estimate;
  readonly kendallTauB: Estimate;
}

/** How one generator's images did, by the reference. */
export interface GeneratorResults {
  readonly generator: string;
  readonly images: number;
  /** Images that a reference exists of. */
  readonly referenced: number;
  readonly asDescribed: Estimate;
  readonly precision: Estimate;
  readonly recall: Estimate;
  readonly f1: Estimate;
}

export interface StripQuestion {
  readonly kind: QuestionKind;
  readonly attribute: string;
  /** As it was asked, where the record says. */
  readonly question: string;
  readonly probability: number;
  readonly saysYes: boolean;
  /** The reference's answer; undefined where there is none. */
  readonly reference?: boolean;
}

/** A localised metric's view of one entity, and the answers it got. */
export interface StripEntity {
  readonly entity: string;
  readonly mask: "found" | "none" | "not asked" | "not kept";
  readonly overlay?: Thumbnail;
  readonly seen?: Thumbnail;
  readonly questions: readonly StripQuestion[];
}

/** By the reference; of images without one, by what the metric says alone. */
export const stripGroups = [
  "the metric is off",
  "attributes mixed up",
  "all as it should be",
  "the metric finds faults",
  "the metric finds none",
] as const;
export type StripGroup = (typeof stripGroups)[number];

/** One image as a localised metric judged it. */
export interface Strip {
  readonly key: string;
  readonly image: CardImage;
  readonly generator: string;
  readonly value: number;
  readonly reference: number | null;
  /** Why it is shown. */
  readonly group: StripGroup;
  readonly entities: readonly StripEntity[];
}

export interface Strips {
  /** `EvaluatedMetric.id` */
  readonly metric: string;
  readonly strategy: LocalizationStrategy;
  readonly strips: readonly Strip[];
}

/** One image beside its description and the swapped one, as the metrics scored it. */
export interface SwapCard {
  readonly image: CardImage;
  readonly generator: string;
  readonly text: string;
  readonly swapped: string;
  readonly scores: readonly {
    readonly metric: string;
    /** Right where the image's own description scores better. */
    readonly outcome: PairOutcome;
    readonly original: CardScore;
    readonly swapped: CardScore;
  }[];
}

/** All that the page shows: conclusions, the records they cite, images as bytes. */
export interface ConfusionReport {
  readonly name: string;
  /** The images come from the lab's world of clip art. */
  readonly fromLab: boolean;
  readonly metrics: readonly EvaluatedMetric[];
  /**
   * Headline metrics, as the page names them; the others are ways of localising,
   * compared apart.
   */
  readonly standing: readonly EvaluatedMetric[];
  /** The first is what the verdict speaks of. */
  readonly selections: readonly [SwapSelection, ...SwapSelection[]];
  /**
   * Failures plus half of the ties, as a share, of `metric` minus those of `than`, of the first
   * selection; told from 0 where interval and exact test, adjusted over all claims, agree.
   */
  readonly differences: readonly {
    readonly metric: string;
    readonly than: string;
    readonly difference: Estimate;
    readonly isTold: boolean;
  }[];
  readonly generators: readonly GeneratorResults[];
  /** Undefined where nobody described the images. */
  readonly correlations?: Readonly<Record<LocalizedScore, GroupedConclusion>>;
  /** The metric that comes nearest to the reference's F1: whether it follows it, and leads the next significantly. */
  readonly closest?: { readonly follows: boolean; readonly isTold: boolean };
  readonly variants: readonly LocalizedVariant[];
  /** Sentences: which of the lab's answerers were shown what they never learned from. */
  readonly unseenLooks: readonly string[];
  readonly claims: { readonly paper: string; readonly findings: readonly TestedFinding[] };
  readonly gallery: Gallery;
  /** At most two: one on which the worst metric fails and the best does not, one on which both are right. */
  readonly examples: readonly SwapCard[];
  /** Undefined where no metric looks at entities one by one. */
  readonly strips?: Strips;
  readonly unscored: readonly UnscoredCount[];
  readonly published: PublishedConfusion;
  /** The swap test is about all images because somebody asked for that. */
  readonly unfiltered?: boolean;
  /**
   * True where nobody described the images, so that nothing is concluded about metrics: for an image whose
   * attributes are swapped the swapped description is the right one.
   */
  readonly isUnreferenced: boolean;
  /** Metrics that people's answers are no reference for, by name; they are no headline metrics. */
  readonly circular: readonly { readonly metric: string; readonly localizer: string }[];
  /** Caveats of the data, a sentence each. */
  readonly warnings: readonly string[];
  readonly provenance: Provenance;
}

const percent = z.number().min(0).max(100);

const coefficients = { spearman: z.number().min(-1).max(1), kendall: z.number().min(-1).max(1) };

const named = { name: z.string(), metric: z.string() };

const publishedSchema = z.strictObject({
  paper: z.string(),
  swap: z.strictObject({
    source: z.string(),
    unit: z.literal("percent"),
    rows: z.array(z.strictObject({ ...named, value: percent })),
  }),
  correlation: z.strictObject({
    source: z.string(),
    groups: z.int().positive(),
    seeds: z.int().positive(),
    rows: z.array(z.strictObject({ ...named, target: z.enum(countTargets), ...coefficients })),
  }),
  ablation: z.strictObject({
    source: z.string(),
    rows: z.array(
      z.strictObject({
        part: z.enum(["strategy", "answerer", "localiser"]),
        value: z.string(),
        ...coefficients,
      }),
    ),
  }),
  humanAgreement: z.strictObject({
    source: z.string(),
    unit: z.literal("percent"),
    rows: z.array(z.strictObject({ protocol: z.string(), value: percent })),
  }),
});

/** Figures that the paper prints, each with the place it stands at: other models, other images. */
export type PublishedConfusion = z.output<typeof publishedSchema>;

export const loadPublishedConfusion = (): PublishedConfusion =>
  loadData("attribute-confusion/published.yaml", publishedSchema);
