import {
  type AnsweredByBoth,
  isAnsweredByBoth,
  itemAgreement,
  judgeAgreement,
} from "../../analysis/agreement/judge-agreement.js";
import {
  type Claim,
  type ClaimScale,
  judgeClaims,
  type TestedFinding,
  type TestedMeasurement,
  type TriedClaim,
} from "../../analysis/inference/claims.js";
import { differenceTest, type ExactTest, shareTest } from "../../analysis/inference/exact-tests.js";
import type { IntervalOptions } from "../../analysis/inference/intervals.js";
import { promptClusters } from "../../analysis/inference/prompt-clusters.js";
import { scoreSummary } from "../../analysis/pairs/score-summary.js";
import { auditCorrection } from "../../analysis/stereotypes/audit-correction.js";
import { auditExperts } from "../../analysis/stereotypes/audit-experts.js";
import { auditTruth, besideTruth } from "../../analysis/stereotypes/audit-truth.js";
import { completePairs, type SetValue } from "../../analysis/stereotypes/audit-values.js";
import { auditedPairs, auditedRows } from "../../analysis/stereotypes/audited-rows.js";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import { InputError } from "../../core/errors.js";
import { type ImageEmbedder, placed } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { loadStereotypeClaims, type StereotypeQuantity } from "../paper-claims.js";
import { provenanceOf } from "../provenance.js";
import type { ReportedRun } from "../run-records.js";
import { diversityOf } from "./audit-diversity.js";
import { alignmentsOf, auditNumbers, shortened, shortGenerators } from "./audit-numbers.js";
import { readCards } from "./audit-sets.js";
import { type AuditExperts, type AuditReport, loadPublishedStereotypes } from "./conclusion.js";
import { expertRows, type KeptLabel } from "./expert-labels.js";
import { loadNotice } from "./packaged.js";
import { type ReadAuditRecords, readAuditRecords } from "./read-audit-records.js";

/** Evidence that decides the claims of the stereotype index's paper. */
export interface StereotypeEvidence {
  readonly rows: readonly StereotypeRow[];
  /** The judge's answers of which the truth is known. */
  readonly known: readonly AnsweredByBoth[];
  /** Metrics of alignment with what they say of each set of images, before and after. */
  readonly alignments: readonly {
    readonly metric: string;
    readonly direction: "higher" | "lower";
    readonly range: readonly [low: number, high: number];
    readonly values: readonly SetValue[];
  }[];
  readonly seed: number;
  readonly resamples?: number | undefined;
}

/** Every claim, for each generator or metric that it is about. */
export const stereotypeFindings = (
  claims: readonly Claim<StereotypeQuantity>[],
  evidence: StereotypeEvidence,
): TestedFinding[] =>
  judgeClaims(
    claims.flatMap((claim) =>
      measured(claim.quantity, evidence).map((measurement): TriedClaim => [claim, measurement]),
    ),
  );

function measured(quantity: StereotypeQuantity, evidence: StereotypeEvidence): TestedMeasurement[] {
  if (quantity.kind === "judge-accuracy") return [judgeAccuracy(evidence)];
  if (quantity.kind === "alignment-loss") return alignmentLosses(evidence);
  return indexFalls(quantity, evidence);
}

type IndexQuantity = Extract<StereotypeQuantity, { readonly category: string }>;

function indexFalls(quantity: IndexQuantity, evidence: StereotypeEvidence): TestedMeasurement[] {
  const { category } = quantity;
  const share = quantity.kind === "index-fall" ? 1 : quantity.share;
  const words = (whose: string) =>
    `${share === 1 ? "" : `${share} × `}index before minus index after, ${category}${whose}`;
  const own = evidence.rows.filter((row) => row.category === category);
  const scale = "index";
  if (own.length === 0) {
    return [{ measured: words(""), scale, missing: `the run has no ${category} queries` }];
  }
  const pairs = auditedPairs(own).complete;
  if (pairs.length === 0) {
    return [{ measured: words(""), scale, missing: "no image set was audited before and after" }];
  }
  const models = [...new Set(pairs.map(({ model }) => model))];
  const isByGenerator = quantity.kind === "index-fall" && quantity.by === "generator";
  if (isByGenerator && models.length === 1) {
    const missing = "the run has one generator, of which the claim about all says as much";
    return [{ measured: words(""), scale, missing }];
  }
  return (isByGenerator ? models : [undefined]).map((model) =>
    meanOf(
      pairs
        .filter((pair) => model === undefined || pair.model === model)
        .map(({ query, initial, refined, ...pair }) => ({
          id: JSON.stringify([query, pair.model, pair.imageSet]),
          prompt: query,
          value: share * initial - refined,
        })),
      { ...evidence, words: words(model === undefined ? "" : `, ${model}`), scale, range: [-1, 1] },
    ),
  );
}

function judgeAccuracy({ known, ...evidence }: StereotypeEvidence): TestedMeasurement {
  const about = { measured: "share of the judge's answers that are true", scale: "share" } as const;
  if (known.length === 0) return { ...about, missing: "nobody knows what is in the images" };
  const rows = known.map(({ query, present, expert }, at) => ({
    id: `${at}`,
    prompt: query,
    value: present === expert ? 1 : 0,
  }));
  return {
    ...sampled(rows, { ...evidence, range: [0, 1], isShare: true }),
    ...about,
    test: (threshold) => shareTest(rows, { threshold, unit }),
  };
}

function alignmentLosses({ alignments, ...evidence }: StereotypeEvidence): TestedMeasurement[] {
  const scale = "score";
  if (alignments.length === 0) {
    const measured = "alignment with the original query, before minus after";
    return [{ measured, scale, missing: "no metric scored the images against their queries" }];
  }
  return alignments.map(({ metric, direction, range: [low, high], values }) => {
    const words = `${metric} of the original query, before minus after${direction === "lower" ? ", turned round" : ""}`;
    const sign = direction === "higher" ? 1 : -1;
    const rows = completePairs(values).map(({ query, model, imageSet, initial, refined }) => ({
      id: JSON.stringify([query, model, imageSet]),
      prompt: query,
      value: sign * (initial - refined),
    }));
    if (rows.length === 0) {
      return { measured: words, scale, missing: "it scored no image set before and after" };
    }
    return meanOf(rows, { ...evidence, words, scale, range: [low - high, high - low] });
  });
}

const unit = "query";

interface Valued {
  readonly id: string;
  readonly prompt: string;
  readonly value: number;
}

interface Drawing extends Pick<StereotypeEvidence, "seed" | "resamples"> {
  readonly range: readonly [low: number, high: number];
  readonly isShare?: boolean;
}

/** A mean difference that is set against 0. */
function meanOf(
  rows: readonly Valued[],
  { words, scale, ...drawing }: Drawing & { readonly words: string; readonly scale: ClaimScale },
): TestedMeasurement {
  const test = (): ExactTest =>
    differenceTest(rows, { unit, random: randomFrom(drawing.seed, "exact test", words) });
  return { ...sampled(rows, drawing), measured: words, scale, test };
}

function sampled(rows: readonly Valued[], { seed, resamples, range, isShare = false }: Drawing) {
  return {
    estimate: scoreSummary(rows, { range, isShare, seed, resamples }).mean,
    n: rows.length,
    clusters: promptClusters(rows).count,
    clusteredBy: unit,
  } as const;
}

/**
 * Draws the conclusions from a stereotype audit and gathers the records and images that they cite.
 *
 * @param labels the answers of experts that the run keeps
 * @param truth the true answers under the names of `auditedRows`, where somebody knows them.
 * @param embedder by whom images are compared within a set; without one only copies are counted.
 * @throws InputError where the run holds no audited images.
 */
export async function concludeAudit({
  run,
  name,
  labels = [],
  truth,
  embedder,
  resamples,
}: {
  readonly run: ReportedRun;
  readonly name: string;
  readonly labels?: readonly KeptLabel[];
  readonly truth?: readonly StereotypeRow[] | undefined;
  readonly embedder?: ImageEmbedder | undefined;
  readonly resamples?: number | undefined;
}): Promise<AuditReport> {
  const records = await readAuditRecords(run);
  const { audits } = records;
  if (audits.length === 0) {
    throw new InputError(
      `Expected a run with audited images but received ${run.place}, which has none`,
      { hint: "Audit a generator: touchstone audit CONFIG --run DIR" },
    );
  }
  const options: IntervalOptions = { seed: run.recipe.seed, resamples };
  const short = shortGenerators(records);
  const rows = shortened(auditedRows(records), short);
  const numbers = auditNumbers(records, options);
  const known = truth === undefined ? [] : besideTruth(rows, shortened(truth, short));
  const { paper, claims } = loadStereotypeClaims();
  const findings = stereotypeFindings(claims, {
    rows,
    known: known.filter(isAnsweredByBoth),
    alignments: alignmentsOf(records, short).map(({ metric, model, ...alignment }) => ({
      ...alignment,
      metric: `${metric} (${model})`,
    })),
    seed: run.recipe.seed,
    resamples,
  });
  return {
    ...numbers,
    ...(labels.length === 0 ? {} : { experts: expertsOf(records, { labels, short, options }) }),
    name,
    notice: loadNotice().text,
    diversity: await diversityOf(audits, { run, embedder, short, options }),
    ...(truth === undefined || truth.length === 0
      ? {}
      : { truth: auditTruth(rows, shortened(truth, short), options) }),
    claims: { paper, findings },
    published: loadPublishedStereotypes(),
    cards: await readCards(records, { run, short }),
    provenance: provenance(run, { name, records, intervals: numbers.conclusion.intervals.text }),
  };
}

function expertsOf(
  records: ReadAuditRecords,
  {
    labels,
    short,
    options,
  }: {
    readonly labels: readonly KeptLabel[];
    readonly short: (name: string) => string;
    readonly options: IntervalOptions;
  },
): AuditExperts {
  const { rows: labelled, names } = expertRows(records, labels);
  const { rows, experts: between } = auditExperts(shortened(labelled, short), names, options);
  return {
    between,
    judge: judgeAgreement(rows, options),
    items: itemAgreement(rows, options),
    correction: auditCorrection(rows, options),
  };
}

const noOthers = { prompts: [], descriptions: [] };

function provenance(
  run: ReportedRun,
  {
    name,
    records: { queries, images, audits, refinements, scores },
    intervals,
  }: { readonly name: string; readonly records: ReadAuditRecords; readonly intervals: string },
): AuditReport["provenance"] {
  const base = provenanceOf({ run, name, records: { ...noOthers, images, scores }, intervals });
  const counted = (type: string, list: readonly { readonly status: string }[]) => {
    const done = list.filter(({ status }) => status === "done").length;
    return { type, done, leftOut: 0, unscored: list.length - done };
  };
  const asked = new Map<string, Set<string>>();
  for (const record of [...refinements, ...audits]) {
    asked.set(placed(record), (asked.get(placed(record)) ?? new Set()).add(record.step));
  }
  return {
    ...base,
    models: [
      ...base.models.filter(({ name: model }) => !asked.has(model)),
      ...[...asked].map(([model, steps]) => ({ name: model, steps: [...steps] })),
    ],
    records: [
      counted("query", queries),
      ...base.records,
      counted("refinement", refinements),
      counted("audit", audits),
    ],
  };
}
