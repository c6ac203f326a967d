import {
  fewestSets,
  isShown,
  type MetricAcrossSets,
  mostUnscored,
  type OtherRule,
  type SetOfFigures,
} from "../../analysis/evidence/across-sets.js";
import type { QuestionKind } from "../../analysis/evidence/evidence-table.js";
import { listText } from "../../core/phrases.js";
import { fixedText, pluralText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  percentColumn,
  probabilityColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

/** What the sets of one question come to. */
export interface QuestionFound {
  readonly asked: QuestionKind;
  readonly metrics: readonly MetricAcrossSets[];
  /** Repositories that the averaged sets come from. */
  readonly sources: readonly string[];
  readonly sets: number;
  readonly otherRules: readonly OtherRule[];
}

/**
 * The verdict of one question in a sentence.
 *
 * @example "VIEScore (GPT-4o) agrees with people most on edits: 83 % of pairs [77, 89]; 2 of 4 others are significantly worse."
 */
export function evidenceVerdict({ asked, metrics }: QuestionFound): string {
  const averaged = metrics.filter(({ accuracyWithin }) => accuracyWithin.value !== null);
  const [best] = averaged;
  if (best === undefined) {
    return `No metric on ${asked} was measured on ${fewestSets} sets: nothing is averaged.`;
  }
  const others = averaged.filter(({ againstBest }) => againstBest?.p != null).length;
  const tested = others < averaged.length - 1 ? " tested" : "";
  const worse = averaged.filter(({ againstBest }) => isShown(againstBest)).length;
  const beside =
    others === 0
      ? ""
      : `; ${worse === 0 ? "none" : worse} of ${pluralText(others, "other")}${tested} ${worse > 1 ? "are" : "is"} significantly worse`;
  return `${best.metric} agrees with people most on ${asked}: ${spoken(best)}${beside}.`;
}

const percent = (share: number | null) => (share === null ? "–" : fixedText(share * 100, 0));

function spoken({ accuracyWithin: { value, low, high } }: MetricAcrossSets): string {
  const interval = low === null || high === null ? "" : ` [${percent(low)}, ${percent(high)}]`;
  return `${percent(value)} % of pairs${interval}`;
}

/** Sentences about what the evidence does not carry. */
const evidenceCaveats: readonly string[] = [
  "The newest sets are of 2025, most judges of 2023 and 2024: a model of today under the same name may answer otherwise.",
  "Sets of one laboratory (ImagenHub's tasks) share raters' instructions and judges' prompts, so their agreement says less than as many laboratories would.",
  "Preference is not alignment: each question is averaged by itself.",
  "PickScore, HPS and ImageReward were trained on people's preferences; on images like those they look better than elsewhere.",
];

/** The metrics of one question, best first, as a terminal and a page show them. */
export function evidenceView(found: QuestionFound): ViewWithData {
  const { asked, metrics, sources, sets } = found;
  const averaged = metrics.filter(({ accuracyWithin }) => accuracyWithin.value !== null);
  const single = metrics.filter(({ accuracyWithin }) => accuracyWithin.value === null);
  const table = averagedTable(averaged);
  return {
    verdict: evidenceVerdict(found),
    tables: [
      ...(averaged.length > 0 ? [table] : []),
      ...(single.length > 0 ? [singleTable(single)] : []),
      ...rulesTable(found.otherRules),
    ],
    caveats: [
      ...comparedHow(averaged),
      `The ${pluralText(sets, "set")} on ${asked} ${sets === 1 ? "comes" : "come"} from ${listText(sources)}.`,
      ...evidenceCaveats,
    ],
    method:
      "Share of pairs of one prompt in people's order, a metric's tie half; random effects over sets (restricted " +
      "maximum likelihood, Hartung and Knapp), 95 % intervals; sets of which a metric left out more than " +
      `${mostUnscored * 100} % are not averaged. Share of ceiling: 0 % is chance, 100 % what one rater reaches against the others (from ${fewestSets} sets that tell each rater's answer).`,
    data: table,
  };
}

/** Says why two metrics may not differ significantly though their intervals do not overlap. */
function comparedHow([best, ...others]: readonly MetricAcrossSets[]): string[] {
  if (best === undefined || others.length === 0) return [];
  const untested = others.flatMap(({ metric, againstBest }) =>
    againstBest?.p == null ? [metric] : [],
  );
  return [
    `Shared sets and adjusted p are of the comparison with ${best.metric}, on the sets that both have. p is adjusted for all pairs of metrics (Holm); the intervals are not.`,
    ...(untested.length === 0
      ? []
      : [`Not tested, below ${fewestSets} shared sets: ${listText(untested)}.`]),
  ];
}

const averagedTable = (metrics: readonly MetricAcrossSets[]): ViewTable => ({
  title: "Agreement with people over sets",
  columns: [
    textColumn("metric", { isEssential: true }),
    countColumn("sets"),
    percentColumn("pairs in people's order, %", {
      id: "accuracyWithin",
      spread: "interval",
      isEssential: true,
    }),
    countColumn("shared sets", { id: "setsAgainstBest" }),
    probabilityColumn("adjusted p", { id: "pAgainstBest" }),
    percentColumn("predicted in a new set, %", { id: "prediction", spread: "range" }),
    percentColumn("share of ceiling, %", { id: "ceilingShare", spread: "interval" }),
    countColumn("tie group"),
  ],
  rows: metrics.map(({ metric, sets, accuracyWithin, prediction, ceilingShare, ...one }) => [
    metric,
    sets,
    accuracyWithin,
    one.againstBest?.sets ?? null,
    one.againstBest?.p ?? null,
    prediction,
    ceilingShare,
    one.group,
  ]),
  note: "Chance is 50 %. Metrics of one tie group are not shown to differ from its first.",
});

/** Where the first metric depends on the rule. */
function rulesTable(rules: readonly OtherRule[]): ViewTable[] {
  const told = rules.filter(({ sets }) => sets > 0);
  if (told.length === 0) return [];
  return [
    {
      title: "By another rule",
      columns: [
        textColumn("rule", { isEssential: true }),
        countColumn("sets"),
        countColumn("another metric first", { id: "moved", isEssential: true }),
        textColumn("where"),
      ],
      rows: told.map(({ rule, sets, moved }) => [
        rule,
        sets,
        moved.length,
        moved.map(({ set, first, byThisRule }) => `${set}: ${byThisRule}, not ${first}`).join("; "),
      ]),
      note:
        "On so many sets another metric is first than by pairs of one prompt. Rules over all prompts also pay for " +
        "telling easy prompts from hard ones. Metrics close to each other may change places by chance.",
    },
  ];
}

const singleTable = (metrics: readonly MetricAcrossSets[]): ViewTable => ({
  title: `Measured on fewer than ${fewestSets} sets, not averaged`,
  columns: [
    textColumn("metric", { isGroup: true, isEssential: true }),
    textColumn("set"),
    percentColumn("pairs in people's order, %", {
      id: "accuracyWithin",
      spread: "interval",
      isEssential: true,
    }),
    countColumn("unscored"),
  ],
  rows: metrics.flatMap(({ metric, each }) =>
    each.map(({ set, figures }) => [metric, set, figures.accuracyWithin, figures.unscored]),
  ),
  note: "Figures of different sets can't be compared: their images differ.",
});

/** What was measured of a metric on one set. */
const measuredColumns = [
  countColumn("unscored"),
  percentColumn("pairs in people's order, %", {
    id: "accuracyWithin",
    spread: "interval",
    isEssential: true,
  }),
  numberColumn("tau-b", { id: "kendallTauB", spread: "interval" }),
  percentColumn("share of ceiling, %", { id: "ceilingShare", spread: "interval" }),
  percentColumn("pairs of all prompts, %", { id: "accuracyPooled", spread: "interval" }),
];

/** The cells of these columns. */
const measuredCells = (
  figures: Pick<
    MetricAcrossSets["each"][number]["figures"],
    "unscored" | "accuracyWithin" | "accuracyPooled" | "kendallTauB" | "ceilingShare"
  >,
) => [
  figures.unscored,
  figures.accuracyWithin,
  figures.kendallTauB,
  figures.ceilingShare,
  figures.accuracyPooled,
];

/** One metric's life: every set that it was measured on. */
export function metricView(
  name: string,
  all: readonly { readonly asked: QuestionKind; readonly found: MetricAcrossSets }[],
  conventions: readonly string[],
): ViewWithData {
  const table: ViewTable = {
    title: `${name}, set by set`,
    columns: [
      textColumn("asked", { isGroup: true }),
      textColumn("set", { isEssential: true }),
      countColumn("items", { id: "n" }),
      ...measuredColumns,
    ],
    rows: all.flatMap(({ asked, found }) =>
      found.each.map(({ set, figures }) => [asked, set, figures.n, ...measuredCells(figures)]),
    ),
    note: "Pairs of all prompts: also those of images of two prompts, which pay for telling easy prompts from hard ones.",
  };
  const averaged = all.filter(({ found }) => found.accuracyWithin.value !== null);
  const few = all.filter((one) => !averaged.includes(one));
  const figures = averaged.map(
    ({ asked, found }) => `${spoken(found)} on ${asked} over ${found.sets} sets`,
  );
  const counts = few.map(({ asked, found }) => `${asked} (${found.each.length})`);
  const tooFew = few.length === 0 ? [] : [`too few sets to average on ${listText(counts)}`];
  const said = [...(figures.length === 0 ? [] : [listText(figures)]), ...tooFew];
  return {
    verdict: `${name}: ${said.join("; ")}.`,
    findings:
      conventions.length > 1 ? [`Sets compute it differently. ${conventions.join("; ")}.`] : [],
    tables: [table],
    caveats: [
      ...all.flatMap(({ found }) =>
        found.each.flatMap(({ set, leftOut }) =>
          leftOut === undefined ? [] : [`${set} is not averaged: ${leftOut}.`],
        ),
      ),
      ...evidenceCaveats.slice(0, 1),
    ],
    method:
      "95 % intervals: Student's t over prompts; over sets, random effects (REML, Hartung and Knapp).",
    data: table,
  };
}

interface ReadSet extends SetOfFigures {
  readonly printed: readonly {
    readonly what: string;
    readonly printed: number;
    readonly right: number | null;
    readonly why: string;
  }[];
}

/** Figures of sets that were just read, set by set. */
export function setsView(
  sets: readonly ReadSet[],
  { caveats }: { readonly caveats: readonly string[] },
): ViewWithData {
  const metrics = metricsTable(sets);
  const printed = sets.flatMap((set) => set.printed.map((one) => ({ set: set.name, ...one })));
  return {
    verdict: `Read ${pluralText(sets.length, "set")}: ${sets.length === 1 ? oneSet(sets[0]) : `${pluralText(metrics.rows.length, "figure")} of metrics and judges`}.`,
    tables: [
      metrics,
      peopleTable(sets),
      ...(printed.length === 0
        ? []
        : [
            {
              title: "Printed beside what the files give by this rule",
              columns: [
                textColumn("set", { isGroup: true }),
                textColumn("figure", { isEssential: true }),
                numberColumn("printed", { decimals: 4 }),
                numberColumn("right", { decimals: 4 }),
                textColumn("why"),
              ],
              rows: printed.map((one) => [one.set, one.what, one.printed, one.right, one.why]),
            } satisfies ViewTable,
          ]),
    ],
    caveats,
    method: "95 % intervals: Student's t over prompts; of alpha, a percentile bootstrap of items.",
    data: metrics,
  };
}

function oneSet(set: ReadSet | undefined): string {
  const known = Object.entries({ ...set?.metrics, ...set?.judges }).flatMap(
    ([
      name,
      {
        accuracyWithin: { value },
      },
    ]) => (value === null ? [] : [{ name, value }]),
  );
  const [best] = known.sort((one, other) => other.value - one.value);
  if (best === undefined) return `${set?.name} has no metric that can be compared with people`;
  return `on ${set?.name}, ${best.name} agrees with people most, on ${fixedText(best.value * 100, 1)} % of pairs`;
}

const metricsTable = (sets: readonly ReadSet[]): ViewTable => ({
  title: "Agreement with people, set by set",
  columns: [
    textColumn("set", { isGroup: true, isEssential: true }),
    textColumn("metric", { isEssential: true }),
    countColumn("n"),
    ...measuredColumns,
  ],
  rows: sets.flatMap((set) =>
    Object.entries({ ...set.metrics, ...set.judges }).map(([metric, figures]) => [
      set.name,
      metric,
      figures.n,
      ...measuredCells(figures),
    ]),
  ),
  note: "Pairs of one prompt that people order; a metric's tie is half. Pairs of all prompts also pay for telling easy prompts from hard ones.",
});

const peopleTable = (sets: readonly ReadSet[]): ViewTable => ({
  title: "People",
  columns: [
    textColumn("set", { isEssential: true }),
    textColumn("asked"),
    countColumn("items"),
    countColumn("prompts"),
    countColumn("raters"),
    numberColumn("alpha", { spread: "interval" }),
    percentColumn("one rater, %", { id: "ceiling", spread: "interval", isEssential: true }),
  ],
  rows: sets.map(({ name, asked, n, clusters, people }) => [
    name,
    asked,
    n,
    clusters,
    people.raters,
    people.alpha,
    people.ceiling,
  ]),
  note: "Alpha is Krippendorff's, ordinal. One rater: pairs that a rater puts in the order of the others' mean.",
});
