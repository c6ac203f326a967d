import { square } from "touchstone-t2i/internal/stats/elementary/powers.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import {
  countText,
  estimateText,
  fixedText,
  pluralText,
  probabilityText,
} from "touchstone-t2i/internal/views/number-text.js";
import {
  numberColumn,
  textColumn,
  type View,
  type ViewTable,
} from "touchstone-t2i/internal/views/view.js";
import type { EnsembleFinding } from "./claims.js";
import type { HeldOutConclusion } from "./held-out.js";
import { methodName, metricNames } from "./names.js";

/** Claims as they were tried on held-out pairs. */
export interface TriedClaims {
  readonly worlds: ReadonlyMap<string, HeldOutConclusion>;
  readonly findings: readonly EnsembleFinding[];
  readonly paper: string;
  readonly labels: number;
  readonly seeds: { readonly labels: number; readonly clusters: number };
  readonly clusters: number;
  readonly resamples: number;
  /** Half the interval of a calibration error that is asked for. */
  readonly halfWidth: number;
}

/** Claims with what held-out pairs say of them, as people read it. */
export function readableClaims(tried: TriedClaims): View {
  const { worlds, findings, labels, seeds, clusters, resamples } = tried;
  const count = (outcome: string) => findings.filter((each) => each.outcome === outcome).length;
  return {
    verdict: `${pluralText(findings.length, "claim")} tried (worlds and objectives apart): ${count("holds")} hold, ${count("fails")} fail, ${count("undecided")} are undecided.`,
    tables: [
      ...[...worlds].map(([world, conclusion]) => methodsTable(world, conclusion)),
      ...[...worlds.keys()].map((world) =>
        claimsTable(
          world,
          findings.filter((finding) => finding.world === world),
        ),
      ),
    ],
    caveats: [...worlds].flatMap(([world, conclusion]) => [
      widthText(world, conclusion, tried.halfWidth),
      ...conclusion.warnings.map((warning) => `${world}: ${warning}`),
    ]),
    method:
      `Each method is fitted on ${labels} labels, ${seeds.labels} draws of them, MMB with K = ${clusters} in ${pluralText(seeds.clusters, "clustering")} of each; BPE is K = 1. ` +
      `Intervals: 95 %, ${countText(resamples)} resamples of whole captions and of label seeds together, the same for all methods, so that differences are paired. ` +
      "Tests: two-sided, normal with the resamples' spread, adjusted over all claims (Benjamini-Yekutieli).",
  };
}

/** Whether intervals are as narrow as was asked, and what number of pairs would make them so. */
function widthText(world: string, { halfWidth, n }: HeldOutConclusion, wanted: number): string {
  if (halfWidth === null) return `${world}: not every calibration error has an interval`;
  const reached = `${world}: intervals of ECE reach ${fixedText(halfWidth, 4)} to either side with ${countText(n)} pairs`;
  return halfWidth <= wanted
    ? `${reached}, as requested (at most ${wanted})`
    : `${reached}, more than the ${wanted} requested; about ${countText(n * square(halfWidth / wanted))} pairs would reach it`;
}

const shownMetrics = ["ece", "nll", "accuracy", "errorCoverageArea"] as const;

/** Three decimals, so that a line fits a terminal. */
function shortText({ value, low, high }: Estimate): string {
  if (value === null) return "–";
  const text = (number: number) => fixedText(number, 3);
  return low === null || high === null
    ? text(value)
    : `${text(value)} [${text(low)}, ${text(high)}]`;
}

function methodsTable(world: string, { methods, n, captions }: HeldOutConclusion): ViewTable {
  return {
    title: `Methods, ${world}`,
    columns: [
      textColumn("method"),
      ...shownMetrics.map((metric) => numberColumn(metricNames[metric])),
    ],
    rows: methods.map(({ method, metrics }) => [
      methodName(method),
      ...shownMetrics.map((metric) => shortText(metrics[metric])),
    ]),
    note: `n ${pluralText(n, "held-out pair")} of ${pluralText(captions, "caption")}; means over fits, [95 % interval]. --json has the Brier score, too.`,
  };
}

function claimsTable(world: string, findings: readonly EnsembleFinding[]): ViewTable {
  return {
    title: `Claims of the paper, ${world}`,
    columns: [
      ...[textColumn("claim"), textColumn("objective"), textColumn("here")],
      ...["difference", "expected", "p adjusted"].map((title) => numberColumn(title)),
    ],
    rows: findings.map(({ statement, source, objective, outcome, estimate, ...rest }, at) => [
      findings[at - 1]?.statement === statement ? "" : `${statement} (${source})`,
      ...[objective ?? "–", outcome, estimateText(estimate)],
      ...[`${rest.expected} ${rest.threshold}`, probabilityText(rest.pAdjusted)],
    ]),
    note: "Of another judge and other images than the paper's: that a claim fails here says nothing of those.",
  };
}
