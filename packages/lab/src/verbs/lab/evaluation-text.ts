import { estimate3, number3 } from "touchstone-t2i/internal/cli/terminal/numbers.js";
import { type Column, table } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { wrap } from "touchstone-t2i/internal/cli/terminal/wrap.js";
import { largestOf, smallestOf } from "touchstone-t2i/internal/core/arrays.js";
import {
  countText,
  percentText,
  sizeText,
  spokenPercent,
} from "touchstone-t2i/internal/views/number-text.js";
import { numberColumns } from "touchstone-t2i/internal/views/printed.js";
import type { RatingReport } from "../../evaluate/chat-ratings.js";
import type { DualEncodingReport } from "../../evaluate/dual-encoding.js";
import type { LabEvaluation } from "../../evaluate/evaluate-lab.js";
import type { ModelEvaluation } from "../../evaluate/evaluate-model.js";
import { captionHabits } from "../../evaluate/held-out.js";
import type { JudgingReport, MeanOfAskings } from "../../evaluate/judging.js";
import type { LocalizingReport, MeanOverlap } from "../../evaluate/localizing.js";
import type { AnsweringReport } from "../../evaluate/question-answering.js";
import type { Share } from "../../evaluate/share.js";
import type { MedianTime } from "../../evaluate/stopwatch.js";

type Answerer = ModelEvaluation & AnsweringReport;
type DualEncoder = ModelEvaluation & DualEncodingReport;
type Finder = ModelEvaluation & LocalizingReport;
type Rater = ModelEvaluation & RatingReport;
type Judge = ModelEvaluation & JudgingReport;

/** The evaluation for people: a verdict in words, tables, and how the numbers were made. */
export function evaluationText(evaluation: LabEvaluation, machine: string, width: number): string {
  const answerers = evaluation.models.filter((model) => model.kind === "question-answerer");
  const dualEncoders = evaluation.models.filter((model) => model.kind === "dual-encoder");
  const finders = evaluation.models.filter((model) => model.kind === "localizer");
  const raters = evaluation.models.filter((model) => model.kind === "rater");
  const judges = evaluation.models.filter((model) => model.kind === "judge");
  const styles = Object.entries(evaluation.styles).map(([style, n]) => `${n} ${style}`);
  return [
    wrap(verdict({ answerers, dualEncoders, finders, raters, judges }), width),
    ...twoByTwo(answerers).map((models) => answeringTable(models, width)),
    ...twoByTwo(dualEncoders).flatMap((models) => [
      ...(evaluation.scenes < evaluation.gallerySize ? [] : [retrievalTable(models, width)]),
      preferenceTable(models, width),
    ]),
    ...(finders.length === 0 ? [] : [findingTable(finders, width)]),
    ...(raters.length === 0 ? [] : [ratingTable(raters, width)]),
    ...(judges.length === 0 ? [] : [judgingTable(judges, width)]),
    sizeTable(evaluation.models, width),
    wrap(
      [
        ...unscoredText(evaluation.models),
        ...unseenText(evaluation.models),
        `${countText(evaluation.scenes)} pictures (${styles.join(", ")}), seed ${evaluation.seed}. ` +
          evaluation.heldOut,
        evaluation.intervals,
        ...(dualEncoders.length === 0 || evaluation.scenes < evaluation.gallerySize
          ? []
          : [
              "By truth alone: whoever knows which of the 100 are true, and picks one of those blindly.",
            ]),
        `Weights: ${sizeText(evaluation.bytes)} in all. Times: medians on ${machine}.`,
        "The lab is a world of clip art: this says nothing about metrics on real pictures.",
      ].join("\n"),
      width,
    ),
  ].join("\n\n");
}

function verdict({
  answerers,
  dualEncoders,
  finders,
  raters,
  judges,
}: {
  readonly answerers: readonly Answerer[];
  readonly dualEncoders: readonly DualEncoder[];
  readonly finders: readonly Finder[];
  readonly raters: readonly Rater[];
  readonly judges: readonly Judge[];
}): string {
  const right = answerers.map(
    ({ name, accuracy: { overall } }, index) =>
      `lab:${name} answers ${spokenPercent(overall)} ` +
      (index === 0 ? `of ${countText(overall.n)} questions rightly` : "rightly"),
  );
  const typical = dualEncoders.map(({ name, prototypePreference: { overall } }, index) => {
    const rest = index === 0 ? ` of ${countText(overall.n)} pairs` : "";
    return `lab:${name} ${preferenceWord(overall)} (${spokenPercent(overall)}${rest})`;
  });
  const masks = finders.map(
    ({ name, overlap: { overall } }) =>
      `lab:${name} finds ${countText(overall.n)} entities with a mean IoU of ${estimate3(overall)}.`,
  );
  return [
    ...(right.length === 0 ? [] : [`On held-out pictures ${right.join(", ")}.`]),
    ...(typical.length === 0
      ? []
      : [`Which prefers the prototypical of two right pictures? ${typical.join(", ")}.`]),
    ...masks,
    ...raters.map(
      ({ name, prefersTrue }) =>
        `lab:${name} rates a true sentence above a false one in ${spokenPercent(prefersTrue)} of ` +
        `${countText(prefersTrue.n)} pictures.`,
    ),
    ...judges.map(({ name, right: { overall, wordings } }) => {
      const shares = Object.values(wordings).flatMap(({ value }) =>
        value === null ? [] : [value],
      );
      return (
        `lab:${name} prefers the better of two pictures in ${spokenPercent(overall)} of ` +
        `${countText(overall.n)} askings about ${countText(overall.pairs)} pairs, by wording in ` +
        `${percent(smallestOf(shares))} to ${percent(largestOf(shares))}.`
      );
    }),
  ].join("\n");
}

/** Whether the prototypical one is preferred, where the pairs can tell. */
function preferenceWord({ low, high }: Share): string {
  if (low !== null && low > 0.5) return "does";
  return high !== null && high < 0.5
    ? "prefers the other"
    : "is not significantly different from chance";
}

function answeringTable(models: readonly Answerer[], width: number): string {
  const names = (pick: (model: Answerer) => Readonly<Record<string, Share>>) => [
    ...new Set(models.flatMap((model) => Object.keys(pick(model)))),
  ];
  const row = (title: string, pick: (model: Answerer) => Share | undefined) => [
    title,
    ...models.flatMap((model) => shareCells(pick(model))),
  ];
  const calibrationRow = (title: string, name: "ece" | "brier") => [
    title,
    ...models.flatMap(({ calibration }) => [String(calibration.n), estimate3(calibration[name])]),
  ];
  return table(
    [{ title: "right answers, %" }, ...modelColumns(models)],
    [
      row("all questions", ({ accuracy }) => accuracy.overall),
      ...names(({ accuracy }) => accuracy.types).map((type) =>
        row(`  about ${type}`, ({ accuracy }) => accuracy.types[type]),
      ),
      ...names(({ accuracy }) => accuracy.styles).map((style) =>
        row(`  in style ${style}`, ({ accuracy }) => accuracy.styles[style]),
      ),
      row("said yes, %", ({ yes }) => yes.said),
      row("yes is the answer, %", ({ yes }) => yes.right),
      ...(models.some(({ swaps }) => swaps.failures.n > 0)
        ? [
            row("swapped attributes preferred, %", ({ swaps }) => swaps.failures),
            ...names(({ swaps }) => swaps.styles).map((style) =>
              row(`  in style ${style}`, ({ swaps }) => swaps.styles[style]),
            ),
          ]
        : []),
      calibrationRow("ECE, ten bins", "ece"),
      calibrationRow("Brier score", "brier"),
    ],
    width,
  );
}

const searches = [
  { name: "imageForCaption", title: "image for caption" },
  { name: "captionForImage", title: "caption for image" },
] as const;

function retrievalTable(models: readonly DualEncoder[], width: number): string {
  const rows = searches.flatMap(({ name, title }) =>
    captionHabits.flatMap((habit) => {
      const reports = models.map((model) => model.retrieval[habit][name]);
      const blind = reports[0]?.rightAmongTrue ?? null;
      return [
        [
          `${title}, ${habit}`,
          ...reports.flatMap(({ right }) => shareCells(right)),
          blind === null ? "–" : (blind * 100).toFixed(1),
        ],
        ["  or another true one", ...reports.flatMap((report) => shareCells(report.true)), ""],
        ...Object.keys(reports[0]?.styles ?? {}).map((style) => [
          `  in style ${style}`,
          ...reports.flatMap(({ styles }) => shareCells(styles[style])),
          "",
        ]),
      ];
    }),
  );
  const blind: Column = { title: "by truth alone", align: "right" };
  return table([{ title: "retrieval@1 of 100, %" }, ...modelColumns(models), blind], rows, width);
}

function preferenceTable(models: readonly DualEncoder[], width: number): string {
  const { hypernyms = {}, styles = {} } = models[0]?.prototypePreference ?? {};
  const rowsOf = (titles: readonly string[], group: "hypernyms" | "styles") =>
    titles.map((name) => [
      group === "styles" ? `  in style ${name}` : `  ${name}`,
      ...models.flatMap(({ prototypePreference }) => shareCells(prototypePreference[group][name])),
    ]);
  return table(
    [{ title: "prototypical one higher, %" }, ...modelColumns(models)],
    [
      [
        "both pictures are right",
        ...models.flatMap(({ prototypePreference }) => shareCells(prototypePreference.overall)),
      ],
      ...rowsOf(Object.keys(hypernyms), "hypernyms"),
      ...rowsOf(Object.keys(styles), "styles"),
    ],
    width,
  );
}

function findingTable(models: readonly Finder[], width: number): string {
  const overlapRow = (title: string, pick: (model: Finder) => MeanOverlap | undefined) => [
    title,
    ...models.flatMap((model) => {
      const overlap = pick(model);
      return overlap === undefined ? ["0", "–"] : [String(overlap.n), estimate3(overlap)];
    }),
  ];
  const names = (pick: (model: Finder) => Readonly<Record<string, MeanOverlap>>) => [
    ...new Set(models.flatMap((model) => Object.keys(pick(model)))),
  ];
  return table(
    [{ title: "where things are" }, ...modelColumns(models)],
    [
      overlapRow("mean IoU", ({ overlap }) => overlap.overall),
      ...names(({ overlap }) => overlap.sorts).map((sort) =>
        overlapRow(`  of a ${sort}`, ({ overlap }) => overlap.sorts[sort]),
      ),
      ...names(({ overlap }) => overlap.styles).map((style) =>
        overlapRow(`  in style ${style}`, ({ overlap }) => overlap.styles[style]),
      ),
      ["found where it is, %", ...models.flatMap(({ found }) => shareCells(found))],
      [
        "not found where it is not, %",
        ...models.flatMap(({ absentNotFound }) => shareCells(absentNotFound)),
      ],
    ],
    width,
  );
}

function ratingTable(models: readonly Rater[], width: number): string {
  const meanRow = (title: string, member: "right" | "wrong") => [
    title,
    ...models.flatMap(({ prefersTrue, mean }) => {
      const value = mean[member];
      return [String(prefersTrue.n), value === null ? "–" : number3(value)];
    }),
  ];
  return table(
    [{ title: "ratings from 1 to 4" }, ...modelColumns(models)],
    [
      [
        "true sentence above a false one, %",
        ...models.flatMap((one) => shareCells(one.prefersTrue)),
      ],
      ...Object.keys(models[0]?.styles ?? {}).map((style) => [
        `  in style ${style}`,
        ...models.flatMap(({ styles }) => shareCells(styles[style])),
      ]),
      meanRow("mean of true sentences", "right"),
      meanRow("mean of false sentences", "wrong"),
      [
        "another rating in other words, %",
        ...models.flatMap((one) => shareCells(one.movedByWording)),
      ],
    ],
    width,
  );
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function judgingTable(models: readonly Judge[], width: number): string {
  const row = (title: string, pick: (model: Judge) => MeanOfAskings | undefined) => [
    title,
    ...models.flatMap((model) => {
      const mean = pick(model);
      return mean === undefined ? ["0", "–"] : [String(mean.n), estimate3(mean)];
    }),
  ];
  const rows = (group: "styles" | "subjects" | "wordings") =>
    [...new Set(models.flatMap(({ right }) => Object.keys(right[group])))].sort();
  return table(
    [{ title: "which of two pictures is better" }, ...modelColumns(models)],
    [
      row("right answers", ({ right }) => right.overall),
      ...rows("styles").map((style) =>
        row(`  in style ${style}`, ({ right }) => right.styles[style]),
      ),
      ...rows("subjects").map((subject) =>
        row(`  of ${subject}`, ({ right }) => right.subjects[subject]),
      ),
      ...rows("wordings").map((wording) =>
        row(`  ${wording}`, ({ right }) => right.wordings[wording]),
      ),
      row("mean confidence", ({ confidence }) => confidence),
      row("P(shown first) - 1/2", ({ placeBias }) => placeBias),
    ],
    width,
  );
}

const sizeTable = (models: readonly ModelEvaluation[], width: number): string =>
  table(
    [
      { title: "weights" },
      { title: "revision" },
      ...numberColumns("size", "ms an image", "ms a text"),
    ],
    models.map((model) => [
      `lab:${model.name}`,
      model.revision,
      sizeText(model.bytes.total),
      timeText(model.milliseconds.image),
      timeText(textTime(model)),
    ]),
    width,
  );

function textTime(model: ModelEvaluation): MedianTime {
  switch (model.kind) {
    case "dual-encoder":
      return model.milliseconds.caption;
    case "localizer":
      return model.milliseconds.entity;
    case "rater":
      return model.milliseconds.text;
    case "judge":
      return model.milliseconds.prompt;
    case "question-answerer":
      return model.milliseconds.question;
  }
}

/** As many as have room in a table with their whole names. */
const twoByTwo = <T>(all: readonly T[]): T[][] =>
  all.flatMap((_, at) => (at % 2 === 0 ? [all.slice(at, at + 2)] : []));

/** For each model a column of counts and one of shares. */
const modelColumns = (models: readonly ModelEvaluation[]): Column[] =>
  models.flatMap(({ name }): Column[] => [...numberColumns("n", name)]);

function shareCells(share: Share | undefined): string[] {
  return share === undefined ? ["0", "–"] : [String(share.n), percentText(share)];
}

const timeText = ({ median }: MedianTime): string => (median === null ? "–" : number3(median));

function unscoredText(models: readonly ModelEvaluation[]): string[] {
  return models
    .map((model) => ({ name: model.name, unscored: unscoredBy(model) }))
    .filter(({ unscored }) => unscored > 0)
    .map(({ name, unscored }) => `lab:${name} gave no answer ${countText(unscored)} times.`);
}

function unscoredBy(model: ModelEvaluation): number {
  switch (model.kind) {
    case "dual-encoder":
      return model.prototypePreference.overall.unscored;
    case "localizer":
      return model.found.unscored + model.absentNotFound.unscored;
    case "rater":
      return model.prefersTrue.unscored;
    case "judge":
      return model.right.overall.unscored;
    case "question-answerer":
      return model.accuracy.overall.unscored;
  }
}

const unseenText = (models: readonly ModelEvaluation[]): string[] =>
  models.flatMap(({ name, unseenStyles, unseenWithPeople }) => {
    const unseen = [
      ...unseenStyles,
      ...unseenWithPeople.map((style) => `${style} with people or clothes`),
    ];
    if (unseen.length === 0) return [];
    return [
      `lab:${name} was not trained on style ${unseen.join(", ")}; training/README.md says what it began from.`,
    ];
  });
