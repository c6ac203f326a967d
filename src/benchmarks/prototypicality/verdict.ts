import { spokenName } from "../../analysis/inference/metric-name.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import { isByPeople } from "../../core/models.js";
import { listText } from "../../core/phrases.js";
import { type Estimate, mirrored } from "../../stats/estimate.js";
import { equalWeightsText } from "../../views/beside-coin.js";
import {
  countText,
  fixedText,
  pluralText,
  spokenPercent,
  spokenShare,
} from "../../views/number-text.js";
import type { PrototypicalityReport, SelectionResults } from "./conclusion.js";

/**
 * Returns the verdict on a report's first selection (see `verdict`). People are the reference, so they are
 * not ranked; their preference has a sentence of its own.
 */
export function reportVerdict({
  metrics,
  selections: [selection],
  differences,
}: Pick<PrototypicalityReport, "metrics" | "selections" | "differences">): string[] {
  const nameOf = (id: string) => spokenName({ metrics }, id);
  const ranked = rankedOf({ metrics, selections: [selection] });
  const domains = ranked.flatMap((each) => Object.keys(each.domains));
  const sentences = verdict({
    domains: [...new Set(domains)],
    metrics: ranked.map(({ metric, overall, macro, isEffectTold = true }) => ({
      name: nameOf(metric),
      triplets: overall.triplets,
      controls: overall.controls,
      effect: overall.effect,
      reversed: overall.reversed,
      reversedEffect: overall.reversedEffect,
      isEffectTold,
      macroFailureRate: macro.triplets.failureRate,
    })),
    differences: differences.map(({ metric, than, ...difference }) => ({
      metric: nameOf(metric),
      than: nameOf(than),
      ...difference,
    })),
  });
  const people = selection.metrics
    .filter((one) => !ranked.includes(one))
    .map(({ overall: { triplets } }) => triplets)
    .filter(({ n, failureRate }) => n > 0 && failureRate.value !== null)
    .map(
      ({ n, failureRate }) =>
        `People prefer the typical wrong image in ${spokenShare(failureRate, pluralText(n, "triplet"))}.`,
    );
  return [...sentences, ...people, ...filteredSentence(selection)];
}

/** @example "The filter kept 4 of 6 triplets; left out: 2 (image not rated: not-applicable)." */
function filteredSentence({ retention }: SelectionResults): string[] {
  if (retention === undefined) return [];
  const { kept, pairs, lost } = retention.overall;
  const [first, second, ...others] = Object.entries(lost).sort(([, a], [, b]) => b - a);
  const rest = others.reduce((sum, [, count]) => sum + count, 0);
  const why = [first, second]
    .flatMap((one) => (one === undefined ? [] : `${countText(one[1])} (${one[0]})`))
    .concat(rest === 0 ? [] : `${countText(rest)} for other reasons`);
  return why.length === 0
    ? []
    : [
        `The filter kept ${countText(kept)} of ${pluralText(pairs, "triplet")}; left out: ${why.join(", ")}.`,
      ];
}

type Selected = Pick<PrototypicalityReport, "metrics" | "selections">;

/** Metrics of the first selection without people's; people's where there is no other. */
function rankedOf({ metrics, selections: [selection] }: Selected) {
  const people = new Set(metrics.filter(isByPeople).map(({ id }) => id));
  const others = selection.metrics.filter(({ metric }) => !people.has(metric));
  return others.length === 0 ? selection.metrics : others;
}

/** The metrics that the verdict sets against each other, by their ids. */
export function worstAndBest(report: Selected): {
  readonly worst: string | undefined;
  readonly best: string | undefined;
} {
  const ranked = rankedOf(report)
    .flatMap(({ metric, overall: { triplets } }) => {
      const { n, failureRate } = triplets;
      return n === 0 || failureRate.value === null ? [] : [{ metric, rate: failureRate.value }];
    })
    .sort((a, b) => b.rate - a.rate);
  return { worst: ranked[0]?.metric, best: ranked.at(-1)?.metric };
}

/** How often one metric failed. `failureRate` has n in its denominator. */
export interface FailureSummary {
  readonly n: number;
  readonly ties: number;
  readonly unscored: number;
  readonly failureRate: Estimate;
}

export interface MetricVerdictInput {
  /** Its name in a sentence, such as "clip-score with lab:dual-encoder-skewed". */
  readonly name: string;
  readonly triplets: FailureSummary;
  /** The same knob errors where neither image is the more typical, both kinds together. */
  readonly controls: FailureSummary;
  /** Failure rate of the triplets minus that of the controls. */
  readonly effect: Estimate;
  /** Whether the effect is significant among all claims of the page (`judgeWithVerdict`). */
  readonly isEffectTold?: boolean;
  /** Failure rate of the triplets with equal weight for each domain; asked for where there are several. */
  readonly macroFailureRate?: Estimate;
  /** Right and typical against wrong and atypical. */
  readonly reversed?: FailureSummary;
  /** Failure rate of the reversed conflicts minus that of the controls. */
  readonly reversedEffect?: Estimate;
}

export interface VerdictInput {
  readonly metrics: readonly MetricVerdictInput[];
  /** The domains that the rates pool. */
  readonly domains?: readonly string[];
  /**
   * Failure rate of `metric` minus that of `than` on the triplets that both scored. Where the one
   * that is asked for is missing, nothing is claimed.
   */
  readonly differences: readonly {
    readonly metric: string;
    readonly than: string;
    readonly difference: Estimate;
    /** Whether it is significant among all claims of the page (`judgeWithVerdict`). */
    readonly isTold?: boolean;
  }[];
}

/**
 * The conclusions in words: which metric prefers the typical wrong image how often, beside its
 * control, and which one to trust more, if the data can tell. The first sentence stands alone: it has
 * at most 25 words and one interval.
 * Nothing is called different whose interval holds zero, or of which an exact test does not agree.
 */
export function verdict({ metrics, domains = [], differences }: VerdictInput): string[] {
  const scored = metrics
    .flatMap((metric) => {
      const { n, failureRate } = metric.triplets;
      return n === 0 || failureRate.value === null ? [] : [{ metric, rate: failureRate.value }];
    })
    .sort((a, b) => b.rate - a.rate)
    .map(({ metric }) => metric);
  const [worst] = scored;
  if (worst === undefined) return [nothingScored(metrics)];

  // A metric that prefers the atypical image is no better because it fails no triplet.
  const trusted = scored.filter((metric) => !isOpposite(metric));
  const best = trusted.at(-1);
  const second = trusted.at(-2);
  const ranking = best === undefined || best === worst ? "" : comparison(worst, best, differences);
  const sentences = [
    `${failures(worst)}${ranking}.`,
    detail(worst, best === worst ? undefined : best),
  ];
  if (trusted.length > 2 && best !== undefined && second !== undefined) {
    if (!isHigher(differenceOf(second, best, differences))) {
      sentences.push(`These data can't tell ${best.name} and ${second.name} apart.`);
    }
  }
  const weights = equalWeightsText(
    domains,
    scored.flatMap(({ name, macroFailureRate: mean }) =>
      mean === undefined ? [] : [{ name, mean }],
    ),
    "triplets",
  );
  return [
    ...sentences.filter((sentence) => sentence !== ""),
    ...(weights === undefined ? [] : [weights]),
    ...effectSentences(scored),
    ...scored.filter(isOpposite).flatMap(oppositeSentence),
    ...unscoredSentences(metrics),
  ];
}

/** As the card: 5 points are not much. */
const smallEffect = 0.05;

/** Tells whether a metric has the opposite prejudice: it fails where the typical image is right. */
const isOpposite = ({ reversedEffect }: MetricVerdictInput): boolean =>
  (reversedEffect?.low ?? reversedEffect?.oneSided?.low ?? 0) > smallEffect;

const oppositeSentence = ({ name, reversed }: MetricVerdictInput): string[] =>
  reversed === undefined
    ? []
    : [
        `${name} has the opposite prejudice: it prefers the atypical wrong image in ` +
          `${shareOf(reversed, "reversed conflict")}.`,
      ];

function nothingScored(metrics: readonly MetricVerdictInput[]): string {
  const without = metrics
    .filter(({ triplets }) => triplets.unscored > 0)
    .map(({ name, triplets }) => `${countText(triplets.unscored)} by ${name}`);
  const detail = without.length === 0 ? "" : ` (unscored: ${without.join(", ")})`;
  return `Nothing can be concluded: no triplet has scores for both of its images${detail || "; score the images first"}.`;
}

/**
 * The first sentence's first half. A failure is called a preference for the typical image only where
 * it is significantly more frequent than in the controls: without that it may be any error.
 */
function failures(metric: MetricVerdictInput): string {
  const { name, triplets, controls } = metric;
  const { value } = controls.failureRate;
  const share = shareOf(triplets, "triplet");
  if (controls.n === 0 || value === null) {
    return `${name} prefers the typical wrong image in ${share}; no control was scored to compare with`;
  }
  const rate = `${fixedText(value * 100, 1)} %`;
  const isNone = triplets.failureRate.value === 0;
  if (isNone && value === 0) {
    return `${name} fails in ${share}, and in none of the ${pluralText(controls.n, "control")}`;
  }
  if (!hasEffect(metric) && !isNone) {
    return `${name} fails in ${share}, not measurably more than in controls (${rate})`;
  }
  const said = `${name} ${isNone ? "fails" : "prefers the typical wrong image"} in ${share}`;
  return share.endsWith(")")
    ? `${said}, and in ${rate} of controls`
    : `${said} (${rate} of controls)`;
}

const hasEffect = ({ effect, isEffectTold = true }: MetricVerdictInput): boolean =>
  isEffectTold && isHigher(effect);

/** Details that the first sentence leaves out: ties, the interval of the controls, the best metric's rate. */
function detail(
  { name, triplets: { ties, failureRate }, controls }: MetricVerdictInput,
  best: MetricVerdictInput | undefined,
): string {
  const said = [
    ...(ties > 0
      ? [
          `${pluralText(ties, "tie")} of ${name} ${ties === 1 ? "counts as a failure" : "count as failures"}`,
        ]
      : []),
    // Where it never fails the first sentence says so of both.
    ...(controls.n === 0 ||
    controls.failureRate.value === null ||
    (controls.failureRate.value === 0 && failureRate.value === 0)
      ? []
      : [
          `where neither image is the more typical, ${name} fails in ${shareOf(controls, "control", "the ")}`,
        ]),
    ...(best === undefined
      ? []
      : [`of the triplets ${best.name} fails in ${spokenPercent(best.triplets.failureRate)}`]),
  ].join("; ");
  return said === "" ? "" : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

/** "31.2 % [27.0, 35.2] of 900 triplets" */
function shareOf({ n, failureRate }: FailureSummary, what: string, article = ""): string {
  const one = article === "" ? `1 ${what}` : `the one ${what}`;
  return spokenShare(failureRate, n === 1 ? one : `${article}${pluralText(n, what)}`);
}

const comparison = (
  worst: MetricVerdictInput,
  best: MetricVerdictInput,
  differences: VerdictInput["differences"],
): string =>
  isHigher(differenceOf(worst, best, differences))
    ? `; trust ${best.name} more`
    : `; indistinguishable from ${best.name}`;

/** The conflict's effect on each metric; those without a significant effect share a sentence. */
function effectSentences(metrics: readonly MetricVerdictInput[]): string[] {
  const said: string[] = [];
  const unclear: string[] = [];
  for (const { name, effect, isEffectTold = true, triplets, controls } of metrics) {
    const neverFails = triplets.failureRate.value === 0 && controls.failureRate.value === 0;
    const alwaysFails = triplets.failureRate.value === 1 && controls.failureRate.value === 1;
    const size = neverFails
      ? "no failure in triplets or controls"
      : alwaysFails
        ? "all fail in both"
        : pointsText(effect);
    if (effect.value === null) {
      const why = effect.reason ?? "too few scores";
      said.push(`What prototypicality does to ${name} can't be said: ${why}.`);
    } else if (!isEffectTold) {
      unclear.push(`${name} (${size})`);
    } else if (isHigher(effect)) {
      said.push(
        `A typical wrong image raises the failure rate of ${name} by ${size} over its controls.`,
      );
    } else if (whichSide(effect) === "below") {
      said.push(`${name} fails less often in triplets than in controls: ${size}.`);
    } else {
      unclear.push(`${name} (${size})`);
    }
  }
  if (unclear.length > 0) {
    said.push(`The effect of prototypicality is not significant for ${listText(unclear)}.`);
  }
  return said;
}

function unscoredSentences(metrics: readonly MetricVerdictInput[]): string[] {
  return metrics
    .filter(({ triplets }) => triplets.unscored > 0 && triplets.n > 0)
    .map(
      ({ name, triplets: { n, unscored } }) =>
        `${name} has no score for ${countText(unscored)} of ${pluralText(n + unscored, "triplet")}; ` +
        "they are excluded above.",
    );
}

/** A difference of shares in percentage points. @example "24.2 points [20.0, 28.4]" */
function pointsText({ value, low, high }: Estimate): string {
  const text = (share: number) => fixedText(share * 100, 1);
  const bounds = low === null || high === null ? "" : ` [${text(low)}, ${text(high)}]`;
  return value === null ? "undefined" : `${text(value)} points${bounds}`;
}

/** Difference between two metrics; undefined where an exact test disagrees with its interval. */
function differenceOf(
  metric: MetricVerdictInput,
  than: MetricVerdictInput,
  differences: VerdictInput["differences"],
): Estimate | undefined {
  const told = differences.filter(({ isTold = true }) => isTold);
  const direct = told.find((one) => one.metric === metric.name && one.than === than.name);
  if (direct !== undefined) return direct.difference;
  const other = told.find((one) => one.metric === than.name && one.than === metric.name);
  return other && mirrored(other.difference);
}

const isHigher = (difference: Estimate | undefined) =>
  difference !== undefined && whichSide(difference) === "above";
