import type { TieOptions } from "../analysis/pairs/score-ties.js";
import type { EvaluatedMetric } from "../analysis/pairs/triplets.js";
import type { CardRow } from "../analysis/trust-card/trust-card-rows.js";
import { InputError } from "../core/errors.js";
import type { JsonObject } from "../core/json.js";
import type { Metric } from "../core/metric.js";
import type { ChatModel, ImageGenerator } from "../core/models.js";
import type { Recipe } from "../core/recipe.js";
import type { DocumentStore } from "../core/record-store.js";
import type { AnyStep, Step } from "../core/step.js";
import type { Card, Overview, Report } from "../views/report.js";
import type { ViewTable } from "../views/view.js";
import type { ReportedRun } from "./run-records.js";
import type { StepKind } from "./step-kind.js";
import type { World } from "./world.js";

/** Tells whether a recipe has a step of this name. */
export const hasStep =
  (step: string) =>
  ({ steps }: Pick<Recipe, "steps">): boolean =>
    steps.some(({ name }) => name === step);

/**
 * A benchmark: how a run of it is built, painted and scored, what it comes to and how that is shown.
 * `benchmarks` lists them, and the verbs use what each has.
 */
export interface Benchmark<Conclusion = unknown> {
  /** Such as "prototypicality": what `--benchmark` takes and errors say. */
  readonly name: string;
  /** Tells by the steps of a recipe whether a run is of this benchmark. */
  recognises(recipe: Pick<Recipe, "steps">): boolean;
  /** The kinds of its steps, by which `run resume` makes them again. */
  readonly steps: readonly StepKind[];
  /** Building, by `build`; a benchmark without it has a verb of its own. */
  readonly build?: BenchmarkBuild;
  /** The steps that paint its prompts. */
  paint?(options: PaintOptions): Step<"image">[];
  /** The steps that score its images. */
  score?(options: ScoreOptions): AnyStep[];
  /** True where `score` can rate images first, and conclusions keep those with a high rating. */
  readonly hasFilter?: boolean;
  /** The next command for a run that can't be painted, scored or reported. */
  readonly hint?: string;
  /**
   * Draws the conclusions from a finished run.
   *
   * @throws InputError for a run without its records, IncompleteError where a filter kept nothing.
   */
  conclude(run: ReportedRun, options: ConcludeOptions): Promise<Conclusion>;
  /** Shows the conclusions; a benchmark without it has no report. */
  report?(conclusion: Conclusion): Promise<BenchmarkReport>;
  /** Tells what `build` has built; a benchmark without it isn't built by `build`. */
  built?(run: ReportedRun, options: BuiltOptions): Promise<BuiltText>;
  /** Tells whether its filter or its reference leaves nothing: `conclude` then takes `unfiltered` alone. */
  isEmptied?(run: ReportedRun): Promise<boolean>;
  /** Options of `report` that `conclude` has no use for, each with the reason. */
  readonly refuses?: { readonly tieTolerance?: string; readonly unfiltered?: string };
  /** The rows of a trust card for each of the run's metrics. */
  cards?(run: ReportedRun, options: ConcludeOptions): Promise<BenchmarkCards>;
  /** The rows behind the conclusions, as files. */
  tables?(run: ReportedRun, options: ConcludeOptions): Promise<BenchmarkTables>;
}

export interface BenchmarkBuild {
  /** The thing that is built, for the help: "prompts, so many". */
  readonly description: string;
  /** Flags of `build` that this benchmark has; each may be given several times, unless it says no. */
  readonly flags: readonly BuildFlag[];
  /** True where prompts can be chosen by what a generator can draw. */
  readonly canBeDrawable?: boolean;
  /** True where a run is complete once built, so that its tables are written into it. */
  readonly isComplete?: boolean;
  /** @throws InputError for the value of a flag that it doesn't know. */
  plan(request: BuildRequest): Promise<BuildPlan>;
}

export interface BuildFlag {
  readonly name: string;
  /** The stand-in for the value in the help. */
  readonly value: string;
  /** True where it may be given once alone. */
  readonly isSingle?: boolean;
  readonly description: string;
}

export interface BuildRequest {
  readonly seed: number;
  /** How many prompts; undefined: the benchmark's own number. */
  readonly count: number | undefined;
  /** The values of its flags by name; empty where a flag was not given. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  /** The generator that `cannotDraw` is about, by its name. */
  readonly drawableBy?: string | undefined;
  /** Why a generator can't draw a sentence; undefined for one that it can. */
  readonly cannotDraw: ((sentence: string) => string | undefined) | undefined;
  world(): Promise<World>;
  generatorOf(name: string): Promise<ImageGenerator>;
  /**
   * A chat model by its name, loaded.
   *
   * @param flag what errors call the place that names it
   * @throws InputError where there is none of that name, or it does not chat.
   */
  chatModel(name: string, flag: string): Promise<ChatModel>;
  /** A text file of the user's, by its path from where the command is given. */
  textOf(path: string): Promise<{ readonly file: string; readonly text: string }>;
}

export interface BuildPlan {
  readonly steps: readonly AnyStep[];
  /** Models that the steps ask, where they paint as well. */
  readonly models?: readonly string[];
}

export interface PaintOptions {
  readonly generator: ImageGenerator;
  readonly seed: number;
  /** Images of each text. */
  readonly samples: number;
}

export interface ScoreOptions {
  readonly metrics: readonly Metric[];
  /** By whose ratings images are filtered; only where `hasFilter`. */
  readonly rater: Metric | undefined;
  /** The least rating that stays; the paper's where not given. */
  readonly keepFrom?: number | undefined;
  /** The world that painted the images, where it is known. */
  readonly world: World | undefined;
}

export interface ConcludeOptions extends TieOptions {
  /** The run's name in messages. */
  readonly name: string;
  /** Lets conclusions be about all images, whatever a filter or a reference says of them. */
  readonly unfiltered?: boolean | undefined;
  /** The least rating that a filter keeps, in place of the run's own. */
  readonly keepFrom?: number | undefined;
  readonly resamples?: number | undefined;
  /** The world that painted the images, where it is known. */
  readonly world?: World | undefined;
  /** Reads what is kept beside the run's records. */
  readonly documents?: Pick<DocumentStore, "read"> | undefined;
}

export interface BenchmarkCards {
  /** Which pairs of images the rows are from. */
  readonly selection: string;
  readonly isFromLab: boolean;
  readonly metrics: readonly {
    readonly metric: EvaluatedMetric;
    readonly rows: readonly CardRow[];
  }[];
}

export interface BenchmarkTables {
  /** The text of each file by its name. */
  readonly files: Readonly<Record<string, string>>;
  /** The file that `card` reads; its direction is undefined where metrics differ in theirs. */
  readonly card?: { readonly file: string; readonly direction: "higher" | "lower" | undefined };
}

/**
 * Reads the names given for a flag, each once; all of them where none was given.
 *
 * @throws InputError for a name that is not known.
 */
export function chosenNames<Name extends string>(
  given: readonly string[],
  known: readonly Name[],
  flag: string,
): readonly Name[] {
  if (given.length === 0) return known;
  return [...new Set(given)].map((name) => {
    const found = known.find((one) => one === name);
    if (found !== undefined) return found;
    throw new InputError(`Expected one of ${known.join(", ")} for ${flag} but received "${name}"`);
  });
}

/** A conclusion as it is shown. */
export interface BenchmarkReport {
  /** The verdict, in sentences, the most important first. */
  readonly verdict: readonly string[];
  /** The key of a score that the page shows. */
  readonly example?: string | undefined;
  /** Members of `report --json` beside the verdict, some of which are estimated for it alone. */
  json(): JsonObject;
  /** Images of the run, and who is right about them: an example for any page about it. */
  readonly pair?: Card | undefined;
  readonly isFromLab: boolean;
  /** The part of it that the run's page of the studio shows. */
  overview(): Overview;
  /** All of it, with the reports that the page links to. */
  report(further?: readonly FurtherChapter[]): Report;
}

/** Another benchmark's report beside this one. */
export interface FurtherChapter {
  readonly title: string;
  readonly verdict: readonly string[];
  /** Relative to this page. */
  readonly address: string;
}

/** Text that `build` prints of a run that it built. */
export interface BuiltText {
  readonly parts: readonly (string | ViewTable)[];
  readonly json: JsonObject;
  /** The words after `touchstone` of the command that goes on. */
  readonly next: readonly string[];
}

export interface BuiltOptions {
  /** The run as its user named it, and its folder. */
  readonly name: string;
  readonly folder: string;
  readonly count: number | undefined;
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly drawableBy: string | undefined;
}
