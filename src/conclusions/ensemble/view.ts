import type { CalibrationStatistic } from "../../analysis/calibration/calibration-measures.js";
import { judgeMetrics, metricNames } from "../../analysis/calibration/prediction-score.js";
import type { EnsembleConclusion } from "../../analysis/ensemble/ensemble.js";
import { type EnsembleMethod, ensembleMethods } from "../../analysis/ensemble/ensemble-methods.js";
import type { EnsembleTest } from "../../analysis/ensemble/ensemble-tests.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { listText } from "../../core/phrases.js";
import { countText, fixedText, pluralText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  probabilityColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

/** Names of methods for readers. */
export const methodNames: Readonly<Record<EnsembleMethod, string>> = {
  standard: "a random judge prompt",
  best: "best judge prompt",
  average: "average",
  bpe: "BPE",
  bpeEquation5: "BPE as published",
  mmb: "MMB",
};

/** Their names in the verdict, which spells them out. */
const spokenNames: typeof methodNames = {
  ...methodNames,
  best: "the best judge prompt",
  average: "the average",
  bpe: "the Bayesian ensemble (BPE)",
  bpeEquation5: "the Bayesian ensemble (BPE) as published",
  mmb: "the mixture of Bayesian ensembles (MMB)",
};

const level = 0.05;
const shown = [
  ["ece", "expected calibration error"],
  ["mce", "maximum calibration error"],
  ["nll", "negative log-likelihood"],
  ["brier", "Brier score"],
  ["accuracy", "accuracy"],
  ["f1", "F1 of label 1"],
  ["kappa", "Cohen's kappa"],
  ["rocAuc", "area under ROC"],
  ["averagePrecision", "average precision"],
] as const satisfies readonly (readonly [CalibrationStatistic, string])[];

const whatTheyAre =
  "BPE: a Bayesian ensemble of judge prompts, one weight for each; as published, fitted by its paper's objective, " +
  "else by MMB's. MMB: a mixture of such ensembles, with weights for each group of images.";

/** Ways to combine prompts, each against the best. */
export function ensembleView(found: EnsembleConclusion): ViewWithData {
  const { warnings, intervals, permutations, seed } = found;
  return {
    verdict: verdict(found),
    findings: [[whatTheyAre, ...alikeFinding(found)].join(" ")],
    tables: [methodsTable(found), testsTable(found), groupsTable(found)],
    data: data(found),
    caveats: warnings,
    method:
      `Brackets hold intervals: ${intervals.text}. Tests: paired permutation tests, two-sided, ` +
      `${countText(permutations)} random swaps of two methods' answers to each ${intervals.clusteredBy}, seed ${seed}.`,
  };
}

/** Says which methods are best, and which others are not significantly worse. */
function verdict({ n, validation, tests, intervals }: EnsembleConclusion): string {
  if (tests.length === 0)
    return "Nothing can be compared: no test row is answered by every method.";
  const { clusters, clusteredBy } = intervals;
  if (clusters < fewestToTell) {
    return `Nothing can be concluded: test rows of ${pluralText(clusters, clusteredBy)} are too few to compare methods.`;
  }
  const tested = (["ece", "accuracy"] as const).map((metric) =>
    tests.filter((test) => test.metric === metric),
  );
  if (tested.every((its) => its.every(isAlike))) {
    return (
      "The best method is not significantly better than any other, by expected calibration error or by " +
      `accuracy, on ${pluralText(n, "test row")} with weights from ${pluralText(validation.n, "label")}.`
    );
  }
  const [ece, accuracy] = tested.map(best);
  if (ece?.name === accuracy?.name && ece?.than === accuracy?.than) {
    return `${ece?.name} has the lowest expected calibration error and the highest accuracy (${ece?.than}).`;
  }
  const unbeaten = ensembleMethods.filter((method) =>
    tested.every((its) => its.every((test) => test.method !== method || isAlike(test))),
  );
  const [first, second, ...more] = unbeaten.toReversed();
  if (first !== undefined) {
    const others = more.length > 0 ? `${more.length + 1} others` : second && spokenNames[second];
    const which = [spokenNames[first], ...(others === undefined ? [] : [others])];
    return `No method is significantly better than ${listText(which, "or")} by expected calibration error or by accuracy.`;
  }
  const [low = "", high = ""] = [ece, accuracy].map((one) =>
    one?.isSure ? " (significantly)" : "",
  );
  return capitalised(
    `${ece?.spoken} has the lowest expected calibration error${low}, ${accuracy?.spoken} the highest accuracy${high}.`,
  );
}

const capitalised = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

/** The best method by each metric, and those that are not significantly worse. */
function alikeFinding({ tests }: EnsembleConclusion): string[] {
  return (["ece", "accuracy"] as const).flatMap((metric) => {
    const its = tests.filter((test) => test.metric === metric);
    const [one] = its;
    if (one === undefined) return [];
    const alike = its.filter(isAlike).map(({ method }) => methodNames[method]);
    return [
      `${metric === "ece" ? "Lowest" : "Highest"} ${metricNames[metric]}: ${methodNames[one.against]}` +
        `; not significantly worse: ${alike.length === 0 ? "none" : listText(alike)}.`,
    ];
  });
}

const isAlike = ({ pAdjusted }: EnsembleTest): boolean => pAdjusted > level;

/** Names the best method by a metric, and the methods that are indistinguishable from it. */
function best(tests: readonly EnsembleTest[]) {
  const alike = tests.filter(isAlike);
  const [only] = alike;
  const others =
    alike.length === tests.length
      ? "any other"
      : only !== undefined && alike.length === 1
        ? methodNames[only.method]
        : `${alike.length} others`;
  const against = tests[0]?.against ?? "mmb";
  return {
    name: methodNames[against],
    spoken: spokenNames[against],
    isSure: only === undefined,
    than: only === undefined ? "by more than chance" : `indistinguishable from ${others}`,
  };
}

const methodsTable = ({ methods, n, unscored }: EnsembleConclusion): ViewTable => ({
  title: "How good each method is",
  columns: [
    textColumn("statistic", { isGroup: true }),
    textColumn("method"),
    countColumn("n"),
    numberColumn("value"),
  ],
  rows: shown.flatMap(([statistic, name], place) =>
    ensembleMethods.map((method) => [
      place === 0 ? `${name}: ${pluralText(n, "test row")}, ${countText(unscored)} unscored` : name,
      ...[methodNames[method], methods[method].n, methods[method].intervalsOf[statistic]],
    ]),
  ),
  note:
    "Calibration errors are over ten bins of top-label confidence. For a random judge prompt each value is the " +
    "mean over all, and n counts rows that all of them answered. BPE has one group of images, MMB several.",
});

const testsTable = ({ tests }: EnsembleConclusion): ViewTable => ({
  title: "Every method against the best",
  columns: [
    textColumn("metric", { isGroup: true }),
    textColumn("method"),
    countColumn("n"),
    numberColumn("difference"),
    probabilityColumn("p"),
    probabilityColumn("adjusted p"),
  ],
  rows: judgeMetrics.flatMap((metric) =>
    tests
      .filter((test) => test.metric === metric)
      .map(({ method, against, n, difference, p, pAdjusted }) => [
        `${metricNames[metric]}, best: ${methodNames[against]}`,
        ...[methodNames[method], n, difference, p, pAdjusted],
      ]),
  ),
  note:
    "Difference: value minus that of the best. Adjusted over the tests of a metric by Benjamini and " +
    `Yekutieli; at or below ${level} a method is significantly worse.`,
});

function groupsTable({ groups, chosen, methods, validation }: EnsembleConclusion): ViewTable {
  const { objectiveValue, dualityGap } = methods.mmb;
  const temperature = chosen.temperature === null ? "" : `, temperature ${chosen.temperature}`;
  const foreseen = Number.isNaN(chosen.leaveOneOutNll)
    ? ""
    : ` Left-out labels have a mean negative log-likelihood of ${fixedText(chosen.leaveOneOutNll, 3)}.`;
  return {
    title: "Groups of images and their heaviest prompts",
    columns: [
      textColumn("chosen", { isGroup: true }),
      textColumn("group"),
      countColumn("images"),
      numberColumn("labels", { decimals: 1 }),
      numberColumn("heaviest prompt"),
      numberColumn("its weight", { decimals: 3 }),
    ],
    rows: groups.map(({ images, support, heaviestPrompt, heaviestWeight }, at) => [
      `MMB: ${chosen.objective}, lambda ${chosen.lambda}, ${pluralText(chosen.clusters, "group")}${temperature}`,
      ...[String(at + 1), images, support, String(heaviestPrompt + 1), heaviestWeight],
    ]),
    note:
      `Labels: the sum of the ${pluralText(validation.n, "label")}' memberships. Objective value ` +
      `${objectiveValue === null ? "–" : fixedText(objectiveValue, 3)}` +
      `${dualityGap === null || dualityGap === 0 ? ", exact" : `, at most ${dualityGap.toExponential(1)} below the best`}.${foreseen}`,
  };
}

/** A row for each method and statistic. */
const data = ({ methods }: EnsembleConclusion): ViewWithData["data"] => ({
  columns: [
    textColumn("method"),
    textColumn("statistic"),
    countColumn("n"),
    countColumn("unscored"),
    numberColumn("value", { spread: "interval", ends: ["low", "high"] }),
  ],
  rows: ensembleMethods.flatMap((method) => {
    const { n, unscored, intervalsOf } = methods[method];
    return Object.entries(intervalsOf).map(([statistic, value]) => [
      ...[method, statistic, n, unscored, value],
    ]);
  }),
});
