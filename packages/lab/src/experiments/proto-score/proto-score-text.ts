import { largestOf, smallestOf } from "touchstone-t2i/internal/core/arrays.js";
import {
  boundNote,
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
} from "touchstone-t2i/internal/views/number-text.js";
import {
  numberColumn,
  textColumn,
  type View,
  type ViewTable,
} from "touchstone-t2i/internal/views/view.js";
import type { AnswerTime } from "./answer-times.js";
import type { Counted, ProtoScoreComparison, ProtoScoreMethod } from "./comparison.js";

/** Gains and costs of training against prototypicality, as people read them. */
export function readableProtoScore(
  comparison: ProtoScoreComparison,
  {
    seed,
    times,
    warnings,
  }: {
    readonly seed: number;
    readonly times: readonly AnswerTime[];
    readonly warnings: readonly string[];
  },
): View {
  const { methods, prompts, scenes, intervals } = comparison;
  return {
    verdict: verdictOf(methods),
    findings: [...findingsOf(methods), ...speedOf(times)],
    tables: [failureTable(methods), elsewhereTable(methods), countTable(methods), timeTable(times)],
    caveats: warnings,
    method:
      `n ${pluralText(prompts, "prompt")} drawn by seed ${seed}, of each four images; ordinary alignment on ${pluralText(scenes, "scene")} of no benchmark. ` +
      `Intervals: ${intervals}; of ordinary alignment, scenes are drawn.`,
  };
}

/** Prejudice against alignment, for a terminal: a letter for each method, as the tables have them. */
export const prejudiceText = ({ methods }: ProtoScoreComparison, width: number): string =>
  scatterText(
    methods.map((method, at) => ({
      letter: letterOf(at),
      x: inPoints(method.prejudice),
      y: method.alignment.value.value,
    })),
    {
      width,
      x: {
        title: "prejudice, points: left prefers the atypical, right the typical",
        ends: [-100, 100],
      },
      y: { title: "ordinary alignment, AUC", ends: alignmentEnds(methods) },
    },
  );

/** Tenths around all alignments and their intervals. */
export const alignmentEnds = (methods: readonly ProtoScoreMethod[]): [number, number] => {
  const ends = methods.flatMap(({ alignment: { value } }) =>
    [value.value, value.low, value.high].filter((end) => end !== null),
  );
  const least = Math.floor(10 * Math.min(0.9, smallestOf(ends)));
  const most = Math.ceil(10 * Math.max(0.1, largestOf(ends)));
  return [least / 10, Math.max(most, least + 1) / 10];
};

export const inPoints = ({ value: { value } }: Counted): number | null =>
  value === null ? null : 100 * value;

/** @example letterOf(0) // "A" */
export const letterOf = (at: number): string => String.fromCharCode(65 + (at % 26));

function verdictOf([start, trained]: readonly ProtoScoreMethod[]): string {
  if (start === undefined || trained === undefined) return "There is nothing to compare.";
  const rate = ({ value: { value } }: Counted) => percentText({ value, low: null, high: null });
  return (
    `${trained.name} fails ${percentText(trained.triplets.value)} % of ${pluralText(trained.triplets.n, "triplet")}, its start ${rate(start.triplets)} %; ` +
    `reversed conflicts ${rate(trained.reversed)} against ${rate(start.reversed)} %.`
  );
}

/** Metrics that fail significantly more reversed conflicts than triplets. */
function findingsOf(methods: readonly ProtoScoreMethod[]): string[] {
  const opposite = methods.filter(({ prejudice: { value } }) => (value.high ?? 0) < 0);
  return opposite.map(
    ({ name, says, reversed }) =>
      `${name} (${says}) learned the opposite prejudice: it fails ${percentText(reversed.value)} % of reversed conflicts.`,
  );
}

/**
 * Times of the other methods relative to the trained metric, and the verdict on the paper's claim about a
 * large judge.
 */
function speedOf([trained, ...others]: readonly AnswerTime[]): string[] {
  const found = others.map(({ name, timesTheFirst, callsPerPair }) => {
    const { low, high } = timesTheFirst;
    const calls = `${callsText(callsPerPair)} calls a pair`;
    const times = `${estimateText(timesTheFirst)} times as long as ${trained?.name}`;
    if ((low ?? 0) > 1) return `${name} is slower: it takes ${times}, with ${calls}.`;
    if ((high ?? 2) < 1) return `${name} is faster: it takes ${times}, with ${calls}.`;
    return `Whether ${name} is slower is undecided: it takes ${times}, with ${calls}.`;
  });
  return [
    ...found,
    "Whether a large judge is slower, as the paper says, is undecided: the lab has none.",
  ];
}

/** Calls for an answer; above the number of questions where unreadable replies were asked for again. */
const callsText = (calls: number) =>
  Number.isInteger(calls) ? countText(calls) : fixedText(calls, 1);

const timeTable = (times: readonly AnswerTime[]): ViewTable => ({
  title: "Time of a pair",
  columns: [
    textColumn("model"),
    textColumn("asked for"),
    ...["pairs", "calls", "milliseconds", `times ${times[0]?.name ?? ""}`].map((title) =>
      numberColumn(title),
    ),
  ],
  rows: times.map(({ name, says, pairs, callsPerPair, milliseconds, timesTheFirst }) => [
    name,
    says,
    countText(pairs),
    callsText(callsPerPair),
    estimateText(milliseconds),
    estimateText(timesTheFirst),
  ]),
  note:
    "Of this machine, one call after another, models loaded; each looks anew at each image, and at an image once for all its prompts. " +
    "The paper: 2.67 s an item for ProtoScore, 28.08 s for GPT-5.",
});

const named = [textColumn("metric"), textColumn("trained by")];
const nameOf = ({ name }: ProtoScoreMethod, at: number) => `${letterOf(at)} ${name}`;
const unlessEmpty = ({ n, value }: Counted, text: (value: Counted["value"]) => string) =>
  n === 0 ? "–" : text(value);

const failureTable = (methods: readonly ProtoScoreMethod[]): ViewTable => ({
  title: "Failures (%)",
  columns: [...named, ...["triplets", "controls", "reversed"].map((title) => numberColumn(title))],
  rows: methods.map((method, at) => [
    nameOf(method, at),
    method.says,
    ...[method.triplets, method.controls, method.reversed].map((one) =>
      unlessEmpty(one, percentText),
    ),
  ]),
  note:
    "Triplets: the wrong image is the typical one. Controls: both show the same member. Reversed: the right image is the typical one. " +
    boundNote,
});

const elsewhereTable = (methods: readonly ProtoScoreMethod[]): ViewTable => ({
  title: "Prejudice, and what training cost elsewhere",
  columns: [
    ...named,
    ...["prejudice", "alignment", "calibration error"].map((title) => numberColumn(title)),
  ],
  rows: methods.map((method, at) => [
    nameOf(method, at),
    method.says,
    unlessEmpty(method.prejudice, percentText),
    ...[method.alignment, method.calibrationError].map((one) => unlessEmpty(one, estimateText)),
  ]),
  note:
    "Prejudice: failed triplets minus failed reversed conflicts, in points; above 0 the typical image is preferred, below 0 the atypical one. " +
    "Alignment: how often, of images of no benchmark, one that is right scores above one that is wrong (AUC). " +
    "Calibration error: of the score as the probability of being right, ten bins, over the images of both conflicts; of the start, of the distribution that training begins with.",
  isHeadline: true,
});

const countTable = (methods: readonly ProtoScoreMethod[]): ViewTable => ({
  title: "How many",
  columns: [
    ...named,
    ...["triplets", "controls", "reversed", "sentences", "images", "unscored"].map((title) =>
      numberColumn(title),
    ),
  ],
  rows: methods.map((method, at) => {
    const { triplets, controls, reversed, alignment, calibrationError } = method;
    const all = [triplets, controls, reversed, alignment];
    return [
      nameOf(method, at),
      method.says,
      ...[triplets, controls, reversed, alignment, calibrationError].map(({ n }) => countText(n)),
      countText(all.reduce((sum, { unscored }) => sum + unscored, 0)),
    ];
  }),
  note: "Pairs of images; sentences about scenes; images whose score is held against the truth. Unscored: pairs and sentences without a score, excluded.",
});

/** A point of a picture in letters; left out where a coordinate is unknown. */
export interface ScatterPoint {
  readonly letter: string;
  readonly x: number | null;
  readonly y: number | null;
}

interface Axis {
  readonly title: string;
  readonly ends: readonly [low: number, high: number];
}

const height = 12;
const margin = 7;
const mostColumns = 61;

/**
 * Points as letters on a grid of characters, with a dotted line where x is 0. Points that fall on one place
 * stand beside each other as far as there is room.
 *
 * @param options.width of the terminal, in columns
 */
export function scatterText(
  points: readonly ScatterPoint[],
  { width, x, y }: { readonly width: number; readonly x: Axis; readonly y: Axis },
): string {
  const columns = Math.min(mostColumns, width - margin - 1);
  const place = (value: number, { ends: [low, high] }: Axis, cells: number) =>
    Math.round(((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (cells - 1));
  const middle = place(0, x, columns);
  const grid = Array.from({ length: height }, () =>
    Array.from({ length: columns }, (_, at): string => (at === middle ? "·" : " ")),
  );
  for (const { letter, x: across, y: up } of points) {
    if (across === null || up === null) continue;
    const row = grid[height - 1 - place(up, y, height)];
    const at = freePlace(row ?? [], place(across, x, columns));
    if (row !== undefined && at !== undefined) row[at] = letter;
  }
  const labelOf = (row: number) => {
    const [low, high] = y.ends;
    const isTold = row === 0 || row === height - 1;
    return (isTold ? fixedText(row === 0 ? high : low, 2) : "").padStart(margin - 2);
  };
  const [from, to] = x.ends.map((end) => fixedText(end, 0));
  const ends = `${from}${"0".padStart(middle + 1 - (from ?? "").length)}`;
  return [
    y.title,
    ...grid.map((row, at) => `${labelOf(at)} │${row.join("")}`.trimEnd()),
    `${" ".repeat(margin - 1)}└${"─".repeat(columns)}`,
    `${" ".repeat(margin)}${ends}${(to ?? "").padStart(columns - ends.length)}`,
    `${" ".repeat(margin)}${x.title}`,
  ].join("\n");
}

/** The nearest place of a row without a letter. */
function freePlace(row: readonly string[], wanted: number): number | undefined {
  const free = row.flatMap((mark, at) => (mark === " " || mark === "·" ? [at] : []));
  return free.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
}
