import type { Result, ResultCheck, ResultFigure, ResultSample } from "./result.js";

/** Where a result comes from and where it goes. */
export interface ResultSource {
  /** What it was measured on: a data set of the Hub (OWNER/NAME), or any name. */
  readonly data: string;
  /** The file or run that was exported. */
  readonly name: string;
  /** SHA-256 of what was exported. */
  readonly hash: string;
  /** When it was measured. */
  readonly at: Date;
  /** When it is exported. */
  readonly now: Date;
  /** The absolute path of the folder that is written. */
  readonly place: string;
  /** This package's version. */
  readonly version: string;
}

export interface ResultFile {
  /** Below the folder that is written. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface Exported {
  readonly files: readonly ResultFile[];
  /** What the format can't hold, or what is left to do, a sentence each. */
  readonly notes: readonly string[];
}

/** A format of another tool; one line of `export-results.ts` lists it. */
export type WriteResult = (result: Result, source: ResultSource) => Exported;

/** The model, metric or judge that figures are of. */
export interface Subject {
  readonly name: string;
  /** False for figures of none, such as the difference of two models. */
  readonly isOne: boolean;
  readonly figures: readonly ResultFigure[];
  readonly checks: readonly ResultCheck[];
  readonly samples: readonly ResultSample[];
}

const subjectKinds = ["model", "generator", "metric", "judge", "method"];

/** What figures are of, each with its own; figures of no model stand under the name of the data. */
export function subjectsOf(result: Result, { data }: ResultSource): Subject[] {
  const all = [...result.figures, ...result.checks];
  const kind = subjectKinds.find((one) => all.some(({ of }) => of[one] !== undefined));
  const nameOf = ({ of }: { readonly of: Readonly<Record<string, string>> }) =>
    (kind === undefined ? undefined : of[kind]) ?? data;
  const names = [...new Set(all.map(nameOf))];
  return names.map((name) => ({
    name,
    isOne: kind === undefined || all.some(({ of }) => of[kind] === name),
    figures: result.figures.filter((one) => nameOf(one) === name),
    checks: result.checks.filter((one) => nameOf(one) === name),
    samples: result.samples.filter(({ subject }) => subject === name),
  }));
}

/** Models alone, for formats that know nothing else, and a sentence about the figures that are left out. */
export function modelsOf(result: Result, source: ResultSource) {
  const all = subjectsOf(result, source);
  const left = all.filter(({ isOne }) => !isOne).flatMap(({ figures }) => figures).length;
  return {
    models: all.filter(({ isOne }) => isOne),
    left:
      left === 0 ? [] : [`${left} figures of no single model, such as differences, are left out.`],
  };
}

/** A figure's name with all that it is of besides its subject: "animals/failureRate". */
export function nameWithin(
  { name, of }: Pick<ResultFigure, "name" | "of">,
  subject: string,
): string {
  const parts = Object.values(of).filter((part) => part !== subject);
  return [...parts, name].join("/");
}

/** What is scored; figures that are not are kept apart, since most formats hold numbers alone. */
export interface Valued extends ResultFigure {
  readonly value: number;
}
export const isValued = (figure: ResultFigure): figure is Valued => figure.value !== null;

/** The interval and n in words: "[0.1, 0.3], n = 30, 2 unscored". */
export function evidenceText({ low, high, n, unscored, level, reason }: ResultFigure): string {
  return [
    ...(low === null || high === null
      ? []
      : [`${level === undefined ? "" : `${level * 100} % interval `}[${low}, ${high}]`]),
    ...(n === undefined ? [] : [`n = ${n}`]),
    ...(unscored === undefined ? [] : [`${unscored} unscored`]),
    ...(reason === undefined ? [] : [reason]),
  ].join(", ");
}

/** Letters, digits, dots, dashes and underscores of a name, for files and ids. */
export const slugOf = (name: string): string =>
  name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "unnamed";

/** Whether a name may be a data set of the Hugging Face Hub: OWNER/NAME. */
export const isHubName = (name: string): boolean => /^[\w.-]+\/[\w.-]+$/.test(name);

/** A sentence about figures without a value; none where all have one. */
export function unscoredNote(figures: readonly ResultFigure[], where: string): string[] {
  const missing = figures.filter((figure) => !isValued(figure)).length;
  return missing === 0
    ? []
    : [
        `${missing === 1 ? "1 figure has" : `${missing} figures have`} no value: ${where}, never 0.`,
      ];
}
