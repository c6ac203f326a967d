import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import type { Direction } from "../pairs/pair-sums.js";

/** What is demanded of a prompt: how many of its scores may lie below its threshold. */
export interface PromptDemand {
  readonly threshold: number;
  /** The largest share of scores below the threshold that is still good, above 0 and below 1. */
  readonly allowance: number;
}

/** A prompt of a model: its scores now, in the order in which they came, and what they are held against. */
export interface GatedPrompt {
  readonly model: string;
  readonly prompt: string;
  readonly scores: readonly number[];
  /** Rows without a score. */
  readonly unscored: number;
  /** The scores of the baseline, or what the table demands. */
  readonly against: readonly number[] | PromptDemand;
}

export interface PromptVerdict {
  readonly model: string;
  readonly prompt: string;
  /**
   * `failed`: shown to fall below its threshold more often than allowed; `open`: more often than allowed, but not
   * shown, or with too few scores to show anything; else `passed`.
   */
  readonly state: "passed" | "failed" | "open";
  readonly threshold: number;
  readonly allowance: number;
  readonly samples: number;
  /** Of the samples, those worse than the threshold. */
  readonly below: number;
  readonly unscored: number;
  /** The largest e-value on the way; the prompt fails at `PromptGate.bound`. */
  readonly evidence: number;
  /** The fewest further samples that could fail it, were all below; null once failed, and where 1,000 could not. */
  readonly needed: number | null;
  readonly sentence: string;
}

export interface PromptGate {
  readonly kind: "per-prompt";
  readonly passed: boolean;
  /** The largest probability that a build without any change fails. */
  readonly error: number;
  /** The e-value at which a prompt fails: the number of prompts over `error`. */
  readonly bound: number;
  /** Prompts of all models, the worst first. */
  readonly perPrompt: readonly PromptVerdict[];
  readonly cautions: readonly string[];
}

const buildError = 0.01;
const mostSamples = 1_000;

/**
 * Judges each prompt by itself. Its threshold is the worst of its baseline's scores and its allowance 1 / (m + 1) of
 * m such scores, or both are what the table demands. How often scores fall below is tested sequentially by an
 * e-process, so that samples may be added to whatever is open and looked at after each (Ville, 1939; Ramdas et al.,
 * "Game-theoretic statistics and safe anytime-valid inference", 2023); a prompt fails where it reaches the number of
 * prompts over `error` (Bonferroni). Without a change each prompt's scores are exchangeable with the baseline's, and
 * the build fails with probability `error` at most, whatever scores are distributed like, ties included.
 *
 * @throws InputError where no prompt has as many scores as it takes to fail.
 */
export function promptGate(
  prompts: readonly GatedPrompt[],
  { direction, error = buildError }: { readonly direction: Direction; readonly error?: number },
): PromptGate {
  const bound = prompts.length / error;
  const verdicts = prompts.map((prompt) => verdictOf(prompt, { direction, bound }));
  const canFail = verdicts.filter(({ samples }, at) => couldFail(prompts[at], samples, bound));
  if (canFail.length === 0) throw tooFew(prompts, bound);
  const models = [...new Set(prompts.map(({ model }) => model))];
  const unjudged = models.filter((model) => !canFail.some((one) => one.model === model));
  const blind = verdicts.length - canFail.length;
  const unscored = verdicts.reduce((sum, one) => sum + one.unscored, 0);
  return {
    kind: "per-prompt",
    passed: verdicts.every(({ state }) => state !== "failed") && unjudged.length === 0,
    error,
    bound,
    perPrompt: verdicts.sort((a, b) => b.evidence - a.evidence),
    cautions: [
      ...(unjudged.length === 0
        ? []
        : [`no prompt of ${listText(unjudged)} has enough scores to fail, so the gate is missed`]),
      ...(blind === 0
        ? []
        : [
            `${blind} of ${verdicts.length} prompts have too few scores to fail, whatever these are`,
          ]),
      ...(unscored === 0 ? [] : [`${unscored} unscored rows count neither way`]),
    ],
  };
}

function verdictOf(
  { model, prompt, scores, unscored, against }: GatedPrompt,
  { direction, bound }: { readonly direction: Direction; readonly bound: number },
): PromptVerdict {
  const sign = direction === "higher" ? 1 : -1;
  const demand = demandOf(against, sign);
  const isBelow = scores.map((score) => sign * score < sign * demand.threshold);
  const grow = eProcess(against);
  let [evidence, latest] = [1, 1];
  for (const each of isBelow) {
    latest = grow(each);
    evidence = Math.max(evidence, latest);
  }
  const below = isBelow.filter(Boolean).length;
  const needed = evidence >= bound ? null : furtherNeeded(grow, bound);
  const isBlind = !couldFail({ against }, scores.length, bound);
  const state = evidence >= bound ? "failed" : latest > 1 || isBlind ? "open" : "passed";
  const share = `${below} of ${scores.length} scores are worse than ${demand.threshold}`;
  const sentence =
    state === "failed"
      ? `${share}, more often than the allowed ${percent(demand.allowance)}.`
      : state === "passed"
        ? `${share}; ${percent(demand.allowance)} are allowed.`
        : `${share}; ${needed === null ? "no number of scores could decide" : `${needed} more could decide`}.`;
  return {
    model,
    prompt,
    state,
    ...demand,
    samples: scores.length,
    below,
    unscored,
    evidence,
    needed,
    sentence,
  };
}

const percent = (share: number) => `${Number((100 * share).toPrecision(2))} %`;

const isList = (against: GatedPrompt["against"]): against is readonly number[] =>
  Array.isArray(against);

function demandOf(against: GatedPrompt["against"], sign: 1 | -1): PromptDemand {
  if (!isList(against)) return against;
  const worst = against.reduce((least, each) => (sign * each < sign * least ? each : least));
  return { threshold: worst, allowance: 1 / (against.length + 1) };
}

/** Gives the e-value after each further score. */
const eProcess = (against: GatedPrompt["against"]) =>
  isList(against) ? exchangeableProcess(against.length) : shareProcess(against.allowance);

/**
 * Of m scores of the baseline and those that follow, exchangeable, each is worse than the baseline's worst with the
 * odds of Polya's urn: (1 + j) / (1 + m + k) after j of k. The e-value is the probability of what came under an urn
 * that begins with 3 to 1, over that. It grows with each score that is worse, so that ties, which are not worse,
 * only lower it.
 */
function exchangeableProcess(m: number) {
  let [value, below, count] = [1, 0, 0];
  return (isBelow: boolean) => {
    const [now, before] = [(3 + below) / (4 + count), (1 + below) / (1 + m + count)];
    value *= isBelow ? now / before : (1 - now) / (1 - before);
    below += isBelow ? 1 : 0;
    count += 1;
    return value;
  };
}

const gridSize = 20;

/** The likelihood ratio of shares above the allowance, evenly weighted, over the allowance itself. */
function shareProcess(allowance: number) {
  const values = Array.from({ length: gridSize }, () => 1);
  return (isBelow: boolean) => {
    for (let at = 0; at < gridSize; at++) {
      const share = allowance + ((1 - allowance) * (at + 0.5)) / gridSize;
      const ratio = isBelow ? share / allowance : (1 - share) / (1 - allowance);
      values[at] = (values[at] ?? 1) * ratio;
    }
    return values.reduce((sum, each) => sum + each, 0) / gridSize;
  };
}

/** Goes on with a process as if all that comes were worse. */
function furtherNeeded(grow: (isBelow: boolean) => number, bound: number): number | null {
  for (let further = 1; further <= mostSamples; further++) if (grow(true) >= bound) return further;
  return null;
}

/** How many scores it takes to fail, were all of them worse; null where 1,000 would not do. */
export const fewestToFail = (against: GatedPrompt["against"], bound: number): number | null =>
  furtherNeeded(eProcess(against), bound);

function couldFail(
  prompt: Pick<GatedPrompt, "against"> | undefined,
  samples: number,
  bound: number,
): boolean {
  const fewest = prompt === undefined ? null : fewestToFail(prompt.against, bound);
  return fewest !== null && samples >= fewest;
}

function tooFew(prompts: readonly GatedPrompt[], bound: number): InputError {
  const most = prompts.reduce((best, { scores }) => Math.max(best, scores.length), 0);
  const before = prompts.reduce(
    (best, { against }) => Math.max(best, isList(against) ? against.length : 0),
    0,
  );
  const needs = prompts.flatMap(({ against }) => fewestToFail(against, bound) ?? []);
  const fewest = needs.length === 0 ? undefined : needs.reduce((a, b) => Math.min(a, b));
  const length = evenLength(bound);
  return new InputError(
    `Expected ${fewest === undefined ? "more scores of each prompt in the baseline" : `at least ${fewest} scores of a prompt`} ` +
      `for --gate per-prompt but received at most ${most}${before === 0 ? "" : ` (baseline: ${before})`}: of ${prompts.length} ` +
      "prompts none could fail, whatever its scores are",
    {
      hint:
        `Make more images of each prompt, or score them again: ${length} now and ${length} in the baseline; or demand ` +
        "columns threshold and allowance of each prompt, which takes fewer",
    },
  );
}

/** As many scores before as now that let a prompt fail. */
function evenLength(bound: number): number {
  for (let length = 2; length < mostSamples; length++) {
    const fewest = fewestToFail(
      Array.from({ length }, () => 0),
      bound,
    );
    if (fewest !== null && fewest <= length) return length;
  }
  return mostSamples;
}
