import { z } from "zod";
import type { ItemAgreement, JudgeAgreement } from "../../analysis/agreement/judge-agreement.js";
import type { TestedFinding } from "../../analysis/inference/claims.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { ScopeBounds } from "../../analysis/stereotypes/audit-bounds.js";
import type { CorrectionConclusion } from "../../analysis/stereotypes/audit-correction.js";
import type { ExpertConclusion } from "../../analysis/stereotypes/audit-experts.js";
import type { InitialIndex, ItemEstimate } from "../../analysis/stereotypes/audit-items.js";
import type { AuditedQueries } from "../../analysis/stereotypes/audit-queries.js";
import type { SelfAgreement } from "../../analysis/stereotypes/audit-self-agreement.js";
import type { AuditTruth } from "../../analysis/stereotypes/audit-truth.js";
import type { ValueConclusion } from "../../analysis/stereotypes/audit-values.js";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import type { StereotypeConclusion } from "../../analysis/stereotypes/stereotypes.js";
import type { Estimate } from "../../stats/estimate.js";
import type { CardImage } from "../disagreement-gallery.js";
import { loadData } from "../load-data.js";
import type { Provenance, UnscoredCount } from "../provenance.js";

/** A flag of the judge as it is shown beside the images it cites. */
export interface CardFlag {
  readonly item: string;
  /** The judge's words. */
  readonly reason: string;
  /** Places of the images that it cites, from 1; of none where it speaks of all. */
  readonly images: readonly number[];
}

/** One set of images as the judge saw it. */
export interface CardPhase {
  /** The text that the images were made from. */
  readonly prompt: string;
  readonly images: readonly CardImage[];
  /** Null where the judge answered nothing. */
  readonly index: number | null;
  readonly flags: readonly CardFlag[];
  readonly answered: number;
  readonly items: number;
}

/** One query's images by one generator, before above, after below. */
export interface AuditCard {
  /** The key of the first phase's audit record. */
  readonly key: string;
  /** Why it is shown. */
  readonly group: "most stereotyped" | "got worse" | "drawn by the seed";
  readonly query: string;
  readonly category: string;
  readonly generator: string;
  readonly initial: CardPhase;
  /** Undefined where the query was not rewritten. */
  readonly refined?: CardPhase;
}

/** Price of refining by one metric: images of both phases against the original query. */
export interface AuditPrice {
  readonly metric: string;
  readonly model: string;
  readonly direction: "higher" | "lower";
  /** Initial minus refined. */
  readonly change: ValueConclusion;
  /**
   * Spearman's rho of how far a set's index falls with how much of its alignment is lost, over sets:
   * above 0, what removes stereotypes removes the query.
   */
  readonly tradeOff: Estimate;
  readonly n: number;
}

/** How different the images of one set are. */
export interface AuditDiversity {
  /** The share of images that are, to the byte, another image of their set. */
  readonly same: Readonly<
    Record<StereotypeRow["phase"], { readonly images: number; readonly same: number }>
  >;
  /** Mean cosine distance between the images of a set, where somebody embeds them. */
  readonly distance?: { readonly model: string; readonly change: ValueConclusion };
}

/** Outcomes of the rewriting of queries. */
export interface RefineCounts {
  readonly kept: number;
  /** Nothing was found in their images, so nothing was rewritten. */
  readonly clean: number;
  /** Rewrites that broke a rule and were asked again. */
  readonly refused: number;
  readonly keptOut: number;
}

/** Numbers concluded from the records of a stereotype audit. */
export interface AuditNumbers {
  readonly fromLab: boolean;
  readonly judges: readonly string[];
  readonly metrics: readonly EvaluatedMetric[];
  /** False where the images were audited once. */
  readonly isRefined: boolean;
  readonly conclusion: StereotypeConclusion;
  /** Where images were audited once: the mean index of all, by category and by generator. */
  readonly initial: readonly InitialIndex[];
  readonly bounds: readonly { readonly category: string | null; readonly bounds: ScopeBounds }[];
  readonly items: readonly ItemEstimate[];
  readonly queries: AuditedQueries;
  readonly prices: readonly AuditPrice[];
  readonly selfAgreement: readonly SelfAgreement[];
  readonly refining: RefineCounts;
  readonly unscored: readonly UnscoredCount[];
}

/** Experts' labels, and what they make of the judge's answers. */
export interface AuditExperts {
  readonly between: ExpertConclusion;
  readonly judge: readonly JudgeAgreement[];
  readonly items: readonly ItemAgreement[];
  readonly correction: CorrectionConclusion;
}

/** All that the page of a stereotype audit shows. */
export interface AuditReport extends AuditNumbers {
  /** The judge against the experts, where their labels were collected. */
  readonly experts?: AuditExperts;
  readonly name: string;
  /** The notice that every reader is given: what the index is not. */
  readonly notice: string;
  readonly diversity: AuditDiversity;
  readonly truth?: AuditTruth;
  /** The paper's claims, and what this run says of them. */
  readonly claims: { readonly paper: string; readonly findings: readonly TestedFinding[] };
  readonly published: PublishedStereotypes;
  readonly cards: readonly AuditCard[];
  readonly provenance: Provenance;
}

const change = (value: z.ZodNumber) => z.strictObject({ initial: value, refined: value });

const rowOf = (value: z.ZodNumber) => ({
  category: z.string(),
  models: z.record(z.string(), change(value)),
  overall: change(value),
});

const share = z.number().min(0).max(1);

const percent = z.number().min(0).max(100);

const publishedSchema = z.strictObject({
  paper: z.string(),
  index: z.strictObject({
    source: z.string(),
    rows: z.array(
      z.strictObject({
        ...rowOf(share),
        queries: z.int().positive(),
        t: z.number(),
        drop: percent,
      }),
    ),
  }),
  judge: z.strictObject({
    source: z.string(),
    unit: z.literal("percent"),
    mean: percent,
    rows: z.array(z.strictObject(rowOf(percent))),
  }),
  preferences: z.strictObject({
    source: z.string(),
    unit: z.literal("percent"),
    comparisons: z.int().positive(),
    refined: percent,
    initial: percent,
    neither: percent,
  }),
});

/** Figures that the paper prints, each with the place it stands at: other models, other images. */
export type PublishedStereotypes = z.output<typeof publishedSchema>;

export const loadPublishedStereotypes = (): PublishedStereotypes =>
  loadData("stereotypes/published.yaml", publishedSchema);
