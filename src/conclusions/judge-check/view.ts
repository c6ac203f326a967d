import type {
  Finding,
  FindingKind,
  JudgeCheck,
} from "../../analysis/judge-check/judge-conclusion.js";
import { answerName } from "../../analysis/judge-check/judge-findings.js";
import type { Estimate } from "../../stats/estimate.js";
import { boundNote, estimateText } from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

/** What was checked, and what was found. */
export const judgeCheckView = (found: JudgeCheck): ViewWithData => ({
  verdict: found.verdict,
  findings: besideVerdict(found).map(
    ({ severity, text }) => `${severity === "defect" ? "Defect" : "Caution"}: ${text}`,
  ),
  tables: [checks(found), answers(found)],
  data: data(found),
  caveats: found.warnings,
  method: `Brackets hold intervals: ${found.intervals.text}.`,
});

/** What the verdict leaves out: it says itself that a constant does as well. */
export const besideVerdict = ({ findings }: Pick<JudgeCheck, "findings">): Finding[] =>
  findings.filter(({ kind }) => kind !== "below-baseline");

/** A line of the table of checks. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly n?: number;
  readonly value: Estimate;
  /** What it is compared with. */
  readonly beside?: number | null;
  readonly kind?: FindingKind;
}

/** What was measured, by name, in the order in which it is shown; what the table can't tell is left out. */
export function checksOf(found: JudgeCheck): Check[] {
  const { n, unparsed, constant, baseline, cycles, sensitivity, favours = [] } = found;
  const { oneRater, againstRater, labelled } = found;
  const plain = (value: number | null): Estimate => ({ value, low: null, high: null });
  const all: Check[] = [
    { id: "unparsed", title: "no answer", n, value: plain(unparsed / n), kind: "unparsed" },
    {
      id: "constant",
      title: `its commonest answer: ${answerName(constant.answer)}`,
      n: n - unparsed,
      value: plain(constant.answer === null ? null : constant.share),
      kind: "constant",
    },
    {
      id: "firstShown",
      title: "first shown preferred",
      value: found.firstShown,
      beside: 0.5,
      kind: "position",
    },
    {
      id: "consistency",
      title: "says the same again",
      value: found.consistency,
      beside: 1,
      kind: "inconsistent",
    },
    {
      id: "accuracy",
      title: "accuracy",
      n: labelled,
      value: found.accuracy,
      beside: baseline.accuracy,
    },
    {
      id: "accuracyParsed",
      title: "accuracy where answered",
      value: found.accuracyParsed,
      beside: baseline.accuracy,
    },
    {
      id: "againstBaseline",
      title: `lead over always answering ${answerName(baseline.answer)}`,
      n: labelled,
      value: found.againstBaseline,
      beside: 0,
      kind: "below-baseline",
    },
    ...(oneRater === undefined || againstRater === undefined
      ? []
      : [
          { id: "oneRater", title: "one rater against the others", value: oneRater },
          { id: "againstRater", title: "the judge over one rater", value: againstRater, beside: 0 },
        ]),
    ...(cycles === undefined || cycles.triples === 0
      ? []
      : [
          {
            id: "cycles",
            title: "preferences that go round",
            n: cycles.triples,
            value: cycles.share,
            beside: 0.25,
            kind: "intransitive" as const,
          },
        ]),
    ...favours.map(({ generator, n, excess }) => ({
      id: `favour:${generator}`,
      title: `favours ${generator} beyond people`,
      n,
      value: excess,
      beside: 0,
    })),
    ...sensitivity.map(({ degradation, level, n, share }) => ({
      id: `seen:${degradation}:${level}`,
      title: `sees ${degradation}, level ${level}`,
      n,
      value: share,
      beside: 0.5,
    })),
  ];
  return all.filter(({ value }) => value.value !== null);
}

function checks(found: JudgeCheck): ViewTable {
  const { kendallTauB: tau, levels, findings } = found;
  const listed = checksOf(found);
  const rest = findings.filter(({ kind }) => !listed.some((one) => one.kind === kind));
  return {
    title: "What was checked",
    columns: [
      textColumn("check"),
      countColumn("n"),
      percentColumn("value, %"),
      percentColumn("compared with, %", { id: "beside, %" }),
      textColumn("finding"),
    ],
    rows: [
      ...listed.map(({ title, n = null, value, beside = null, kind }): Cell[] => [
        title,
        n,
        value,
        beside,
        severityOf(findings, kind),
      ]),
      ...(levels === undefined
        ? []
        : [
            [
              "levels that hold 95 %",
              null,
              `${levels.used} of ${levels.of}`,
              levels.people === null ? null : `${levels.people}`,
              "",
            ],
          ]),
      ...(tau === undefined || tau.value === null
        ? []
        : [["Kendall's tau-b with people", null, estimateText(tau), "0", ""]]),
      ...rest.map(({ kind, severity }): Cell[] => [kind, null, "", null, severity]),
    ],
    note:
      "Beside: what it is compared with (a judge without preference for a place, one that never contradicts " +
      "itself, the best constant answer, a coin). A row without an answer is wrong in accuracy. A finding needs " +
      `an interval of 99.5 % beyond its threshold. ${boundNote}`,
  };
}

const severityOf = (findings: readonly Finding[], kind: FindingKind | undefined): string =>
  findings.find((one) => one.kind === kind)?.severity ?? "";

const answers = ({ answers: counts, n, unparsed }: JudgeCheck): ViewTable => ({
  title: "Answers",
  columns: [textColumn("answer"), countColumn("n"), percentColumn("share, %")],
  rows: [
    ...Object.entries(counts).map(([answer, count]): Cell[] => [answer, count, count / n]),
    ["none", unparsed, unparsed / n],
  ],
});

/** A row for each check, then for each answer and finding. */
function data(found: JudgeCheck): ViewWithData["data"] {
  const row = (
    check: string,
    n: number | null,
    value: Cell,
    beside: Cell,
    finding = "",
    text = "",
  ) => [check, n, value, beside, finding, text];
  const { kendallTauB: tau = null } = found;
  return {
    columns: [
      textColumn("check"),
      countColumn("n"),
      numberColumn("value", { spread: "interval", ends: ["low", "high"] }),
      numberColumn("beside"),
      textColumn("finding"),
      textColumn("text"),
    ],
    rows: [
      ...checksOf(found).map(({ id, n = null, value, beside = null }) => row(id, n, value, beside)),
      ...(tau === null ? [] : [row("kendallTauB", null, tau, 0)]),
      ...Object.entries(found.answers).map(([answer, count]) =>
        row(`answer:${answer}`, count, count / found.n, null),
      ),
      ...found.findings.map(({ kind, severity, text }) =>
        row(kind, null, null, null, severity, text),
      ),
    ],
  };
}
