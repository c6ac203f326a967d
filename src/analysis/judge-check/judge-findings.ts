import { countText, listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import type { Finding, FindingKind, LeanBy, Measured, Shares } from "./judge-conclusion.js";
import { isSurely } from "./row-ratios.js";

/** Finds what is wrong with a judge, in the order of `findingKinds`. */
export function findingsOf(measured: Measured, shares: Shares): Finding[] {
  const { unparsedShare, refusedShare } = shares;
  return [
    ...silence("unparsed", unparsedShare, "of the answers can't be read"),
    ...silence("refused", refusedShare, "of the items are refused"),
    ...constant(measured, shares),
    ...position(measured, shares),
    ...inconsistent(measured, shares),
    ...intransitive(measured),
    ...narrowScale(measured),
    ...ownFamily(measured, shares),
    ...insensitive(measured),
    ...belowBaseline(measured),
  ];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const signed = (share: number) =>
  (100 * share)
    .toFixed(1)
    .replace(/^-(?=0\.0$)/, "")
    .replace("-", "−");
const points = (share: number) => `${(100 * share).toFixed(1)} points`;
/** A vote as a person says it. @example answerName("a") // "A" */
export const answerName = (answer: string | null) =>
  answer === "a" || answer === "b" ? answer.toUpperCase() : String(answer);

/** A finding whose severity is defect where `isDefect`, caution where `isCaution`, and none otherwise. */
function found(
  kind: FindingKind,
  { isDefect, isCaution = false }: { readonly isDefect: boolean; readonly isCaution?: boolean },
  text: () => string,
): Finding[] {
  if (!isDefect && !isCaution) return [];
  return [{ kind, severity: isDefect ? "defect" : "caution", text: text() }];
}

const silence = (kind: "unparsed" | "refused", share: Estimate, what: string) =>
  found(
    kind,
    { isDefect: isSurely("above", share, 0.1), isCaution: isSurely("above", share, 0.03) },
    () => `${percent(share.value ?? 0)} ${what}.`,
  );

function constant({ constant: { answer } }: Measured, { constantShare, peopleShare }: Shares) {
  const people = peopleShare.value;
  const isUnexplained = people === null || isSurely("above", constantShare, people + 0.2);
  const isAbove = (share: number) => isUnexplained && isSurely("above", constantShare, share);
  return found(
    "constant",
    { isDefect: people !== null && isAbove(0.9), isCaution: isAbove(people === null ? 0.9 : 0.75) },
    () =>
      `It answers ${answerName(answer)} in ${percent(constantShare.value ?? 0)} of its answers${
        people === null ? "" : `, people in ${percent(people)}`
      }.`,
  );
}

const leanText: Readonly<Record<LeanBy, string>> = {
  orders: "half the time, over both orders",
  people: "people's answers explain",
  answers: "half the time, if places were drawn at random",
};

function position({ lean }: Measured, { leanBy = "answers" }: Shares) {
  if (lean === undefined || lean.value === null) return [];
  const { value } = lean;
  const side = value > 0 ? "above" : "below";
  const isBeyond = (margin: number) => isSurely(side, lean, Math.sign(value) * margin);
  // Points of a share are half of a difference between 1 and -1.
  return found(
    "position",
    {
      isDefect: leanBy !== "answers" && isBeyond(0.1),
      isCaution: isBeyond(leanBy === "answers" ? 0.1 : 0.02),
    },
    () =>
      `It chooses the image shown ${value > 0 ? "first" : "second"} ${points(Math.abs(value) / 2)} more often than ${leanText[leanBy]}.`,
  );
}

function inconsistent({ consistency, kendallTauB }: Measured, { byChance }: Shares) {
  const isBelow = (share: number, beyondChance: number) =>
    isSurely(
      "below",
      consistency,
      byChance === undefined ? share : byChance + beyondChance * (1 - byChance),
    );
  const twice = kendallTauB === undefined ? "both orders or trials" : "two trials";
  return found(
    "inconsistent",
    { isDefect: isBelow(0.6, 0.2), isCaution: isBelow(0.7, 0.35) },
    () => `It says the same in ${twice} of ${percent(consistency.value ?? 0)} of pairs of answers.`,
  );
}

function intransitive({ cycles }: Measured) {
  if (cycles === undefined || cycles.triples < fewest) return [];
  return found(
    "intransitive",
    {
      isDefect: isSurely("above", cycles.share, 0.2),
      isCaution: isSurely("above", cycles.share, 0.1),
    },
    () =>
      `${percent(cycles.share.value ?? 0)} of ${cycles.triples} triples of images go round (a coin: 25 %).`,
  );
}

/** Of fewer triples, ratings or copies nothing is claimed. */
const fewest = 20;

function narrowScale({ levels, n, unparsed }: Measured) {
  if (levels === undefined || n - unparsed < fewest || levels.of < 5) return [];
  const { used, of, people } = levels;
  const isNarrow = used <= 0.4 * of && (people === null || people > used);
  return found(
    "narrow-scale",
    { isDefect: isNarrow && (used === 1 || used * 2 <= (people ?? 0)), isCaution: isNarrow },
    () =>
      `${used} of ${of} levels ${used === 1 ? "holds" : "hold"} 95 % of its ratings${
        people === null ? "" : ` (people's: ${people})`
      }.`,
  );
}

function ownFamily({ favours = [] }: Measured, { isFamilyNamed = false }: Shares) {
  return favours.flatMap(({ generator, lean, excess }) => {
    const isBeyond = (margin: number) =>
      isSurely("above", lean, margin) && isSurely("above", excess, margin / 4);
    const whose = isFamilyNamed ? "its own family" : "perhaps its own family";
    return found(
      "own-family",
      { isDefect: isFamilyNamed && isBeyond(0.2), isCaution: isBeyond(isFamilyNamed ? 0 : 0.2) },
      () =>
        `It prefers images of ${generator} (${whose}) ${points(excess.value ?? 0)} more often than people do.`,
    );
  });
}

const insensitive = ({ sensitivity }: Measured) =>
  sensitivity.flatMap(({ degradation, level, n, share }, at) =>
    // The strongest copies of each kind stand last.
    n < fewest || sensitivity[at + 1]?.degradation === degradation
      ? []
      : found(
          "insensitive",
          {
            isDefect: isSurely("below", share, 0.65),
            isCaution: !isSurely("above", share, 0.5),
          },
          () =>
            `It sees ${degradation} at level ${level} in ${percent(share.value ?? 0)} of ${n} copies (a coin: 50 %).`,
        ),
  );

/** Finds whether always saying the same would do as well; of ratings, whether they go with people's at all. */
function belowBaseline({ againstBaseline, accuracy, baseline, kendallTauB: tau }: Measured) {
  const beyond = tau ?? againstBaseline;
  if (accuracy.value === null && tau === undefined) return [];
  const isUnknown = beyond.value === null && beyond.reason?.startsWith(noLabels);
  const isShown = beyond.value !== null && (beyond.oneSided?.low ?? beyond.low ?? beyond.value) > 0;
  if (isUnknown || isShown) return [];
  return found("below-baseline", { isDefect: (beyond.value ?? 0) <= 0, isCaution: true }, () =>
    tau === undefined
      ? `Its accuracy is ${percent(accuracy.value ?? 0)}; always answering ${answerName(baseline.answer)} has ${percent(baseline.accuracy ?? 0)}.`
      : `Kendall's tau-b with people is ${tau.value === null ? "undefined" : tau.value.toFixed(2)}; a constant rating has none.`,
  );
}

/** How the reason of an estimate begins that lacks people's answers. */
export const noLabels = "no row says what people say";

const kindTexts: Readonly<Record<FindingKind, string>> = {
  unparsed: "unreadable answers",
  refused: "refusals",
  constant: "a constant answer",
  position: "preference for a place",
  inconsistent: "contradictions",
  intransitive: "cycles",
  "narrow-scale": "a narrow scale",
  "own-family": "favour for a generator",
  insensitive: "blindness to degraded copies",
  "below-baseline": "no better than a constant",
};

/** One sentence on the judge: the baseline first, then defects, cautions, or what it is worth. */
export function verdictOf(measured: Measured, findings: readonly Finding[]): string {
  const { n, unparsed, accuracy, baseline, kendallTauB } = measured;
  const kinds = (severity: Finding["severity"]) => [
    ...new Set(
      findings.filter((one) => one.severity === severity).map(({ kind }) => kindTexts[kind]),
    ),
  ];
  if (n === unparsed)
    return `Nothing can be concluded: none of ${countText(n)} answers can be read.`;
  if (findings.some(({ kind }) => kind === "below-baseline")) {
    return kendallTauB === undefined
      ? `This judge is not shown to beat always answering ${answerName(baseline.answer)}${leadText(measured)}.`
      : "This judge is not shown to rank images as people do better than a constant rating.";
  }
  const [defects, cautions] = [kinds("defect"), kinds("caution")];
  if (defects.length > 0) return `This judge is not to be trusted as it is: ${several(defects)}.`;
  if (cautions.length > 0)
    return `No defect was found, but look at this first: ${several(cautions)}.`;
  const none = `No defect was found in ${countText(n)} answers`;
  if (kendallTauB !== undefined && kendallTauB.value !== null) {
    return `${none}; Kendall's tau-b with people is ${kendallTauB.value.toFixed(2)}${range(kendallTauB, (x) => x.toFixed(2))}.`;
  }
  if (accuracy.value === null) return `${none}; accuracy is unknown without people's answers.`;
  const beside = `always answering ${answerName(baseline.answer)} has ${percent(baseline.accuracy ?? 0)}`;
  return `${none}: accuracy is ${percent(accuracy.value)}${range(accuracy, (x) => (100 * x).toFixed(1))}; ${beside}.`;
}

/** Three names, and how many more there are. */
const several = (names: readonly string[]) =>
  names.length <= 3
    ? listText(names)
    : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;

/** @example ": accuracy 65.0 % against 47.5 %, difference 17.5 points [−5.0, 40.0]" */
function leadText({ accuracy, againstBaseline, baseline }: Measured): string {
  const { value } = againstBaseline;
  if (value === null || accuracy.value === null || baseline.accuracy === null) return "";
  return `: accuracy ${percent(accuracy.value)} against ${percent(baseline.accuracy)}, difference ${signed(value)} points${range(againstBaseline, signed)}`;
}

const range = ({ low, high }: Estimate, text: (x: number) => string) =>
  low === null || high === null ? "" : ` [${text(low)}, ${text(high)}]`;
