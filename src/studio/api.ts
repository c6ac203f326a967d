import type { UnscoredReason } from "../core/unscored.js";
import type { Glance } from "./glance.js";
import type { ScoreLooks } from "./looks/look-api.js";
import type { RunNotes } from "./notes/note-api.js";

/** Answers of the studio's server, in words that the page reads, too: types only. */

export interface RunList {
  readonly runs: readonly ListedRun[];
  /** The folder that is shown, as it was named. */
  readonly directory: string;
}

/**
 * A queue of `judge`, a judge that `calibrate` saved, trust cards of `card --out`, scores of `score --out`,
 * a study's `study.json`, or the verdict of a report that is no run's own.
 */
export type FileKind = "review" | "judge" | "cards" | "scores" | "study" | "report";

/** Files that have a page of their own. */
export interface FileList {
  readonly files: readonly {
    /** Names it in addresses; its path below the folder, "/" written as "~". */
    readonly id: string;
    readonly name: string;
    readonly kind: FileKind;
    /** Verdict of a report, and the address of its page. */
    readonly verdict?: string;
    readonly report?: string;
  }[];
  readonly directory: string;
}

/** `finished`: nothing is missing; `unfinished`: nobody is at work on what is; `broken`: not to be read. */
export type RunState = "live" | "finished" | "unfinished" | "broken";

export interface ListedRun {
  /** Names the run in addresses; its path below the folder, "/" written as "~". */
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  /** The first sentence of the verdict; null where none was drawn yet. */
  readonly verdict: string | null;
  /** The address of the page of its report, from "/" on; absent where there is none. */
  readonly report?: string;
  /** The folder whose report that is, where the run has none of its own. */
  readonly concludedIn?: string;
  /** How many models its recipe asks for images; absent for one or none. */
  readonly imageModels?: number;
  /** The command that made it, where there is no verdict. */
  readonly command?: string;
  /** When something was last written, as ISO 8601; null where unknown. */
  readonly changed: string | null;
  /** Why it can't be read, where it is broken. */
  readonly problem?: string;
  /** The verb that made it, and the metrics of its recipe; absent where it is broken. */
  readonly verb?: string;
  readonly metrics?: readonly string[];
  readonly glance?: Glance;
  /** The step that a live run is at, once its records were read. */
  readonly work?: StepProgress;
  /** What people noted about it. */
  readonly notes?: Pick<RunNotes, "title" | "isPinned" | "tags">;
}

/** One metric, with one model, scoring against one kind of text. */
export interface ScoreColumn {
  /** Names it in addresses. */
  readonly id: string;
  readonly metric: string;
  readonly model: string;
  readonly convention?: string;
  readonly template?: string;
  readonly statistic: string;
  readonly range: readonly [low: number, high: number];
  readonly direction: "higher" | "lower";
  readonly against: TextKind;
  /** Whether people gave the scores. */
  readonly isByPeople: boolean;
  readonly trial: number;
  readonly scored: number;
  readonly unscored: number;
  /** The least of the scores there are; null without any. */
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Whether images of the run have a margin by it. */
  readonly hasMargin: boolean;
  /** What placebos showed to be wrong with the metric. */
  readonly defect?: string;
  /** Which of its models are blind, or not shown to see. */
  readonly unseeing?: string;
}

/**
 * Text an image was scored against: the one it was painted from, that of its contrastive prompt, the
 * description with attributes on other entities, or something else.
 */
export type TextKind = "own" | "prompt" | "swapped" | "other";

export interface Facet {
  readonly value: string;
  readonly images: number;
}

export interface RunDetail extends ListedRun {
  /** Its folder, as commands name it where the studio was started. */
  readonly path: string;
  /** All sentences of the verdict. */
  readonly sentences: readonly string[];
  /** What its models see and its metrics read, where that was checked. */
  readonly sanity?: string;
  readonly commands: readonly string[];
  readonly seed: number;
  readonly software: readonly string[];
  readonly models: readonly string[];
  readonly steps: readonly StepProgress[];
  readonly atWork: readonly string[];
  /** Always empty. */
  readonly silent: readonly never[];
  readonly index: IndexProgress;
  readonly images: number;
  readonly columns: readonly ScoreColumn[];
  readonly domains: readonly Facet[];
  readonly roles: readonly Facet[];
  readonly generators: readonly Facet[];
  readonly reasons: readonly Facet[];
  readonly pairs: number;
  /** The filter that its pairs went through; absent where it has none, or nothing was rated yet. */
  readonly filter?: PairFilter;
  /** Whether a report of its own stands in the folder. */
  readonly hasReport: boolean;
  /** Whether its images are judged for stereotypes: it has a page of its audit. */
  readonly isAudit: boolean;
  /** Whether its metrics may have trust cards. */
  readonly hasCards: boolean;
}

/** A filter of pairs by what a metric scored both images. */
export interface PairFilter {
  readonly column: string;
  readonly keepFrom: number;
  /** How many pairs it keeps. */
  readonly kept: number;
  /** Goes on after "pairs", as in a report. */
  readonly description: string;
}

export interface StepProgress {
  readonly step: string;
  readonly produces: string;
  readonly done: number;
  readonly unscored: Readonly<Partial<Record<UnscoredReason, number>>>;
  readonly isFinished: boolean;
  /** Records of its plan when it was last gone over; null where nobody noted it. */
  readonly planned: number | null;
  /** Records a second since then; null where nothing is known. */
  readonly rate: number | null;
  /** US dollars so far; null where nothing was said of cost. */
  readonly cost: number | null;
}

/** How far a step is by its records alone. */
export type StepCount = Omit<StepProgress, "planned" | "rate" | "cost">;

/** How much of the run's files was read. Bytes. */
export interface IndexProgress {
  readonly read: number;
  readonly total: number;
  readonly isReady: boolean;
  /** Rises whenever something was added. */
  readonly version: number;
}

export interface ItemPage {
  readonly items: readonly Item[];
  /** How many the filters leave. */
  readonly total: number;
  /** Cursor of the next page; null on the last. */
  readonly next: string | null;
  readonly version: number;
}

/** An image of a run, or one that was asked for and not made. */
export interface Item {
  /** The key of its record. */
  readonly key: string;
  /** The SHA-256 of its bytes; null where it was not made. */
  readonly image: string | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Text it was painted from. */
  readonly text: string;
  /** Text the metrics of its benchmark hold it against, where that is another. */
  readonly promptText: string | null;
  readonly role: string;
  readonly sample: number;
  readonly generator: string;
  readonly domain: string | null;
  readonly reason: UnscoredReason | null;
  readonly scores: readonly ItemScore[];
  /** How far apart the ranks lie by which it was chosen or sorted, 0 to 1; null where there are none. */
  readonly apart?: number | null;
}

export interface ItemScore {
  readonly column: string;
  readonly value: number | null;
  readonly reason: UnscoredReason | null;
  /** How much better the right image or text of its pair did, 0 for a tie; null without a pair. */
  readonly margin: number | null;
  /** Whether it failed: a pair of images by a tie, too, a swapped text not; null without a pair. */
  readonly failed: boolean | null;
}

/** An image with what leads on from it. */
export interface ItemDetail extends Item {
  /** The keys of its scores, by column. */
  readonly keys: Readonly<Record<string, string>>;
  /** The pair that it belongs to; null where it is set against none. */
  readonly pair: string | null;
  /** Images made for the same in the same role: by other models, and other samples; the first of them. */
  readonly others: readonly Item[];
}

/** A record as `run explain` tells of it. */
export interface Explained {
  readonly key: string;
  readonly type: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Looks of a localised metric; null for any other record. */
  readonly looks: ScoreLooks | null;
  /** The command that asks for the score again; null for what no command line names. */
  readonly repeat: string | null;
}

export interface PairPage {
  readonly pairs: readonly Pair[];
  readonly total: number;
  readonly next: string | null;
  readonly version: number;
}

/** Two images that are set against each other. */
export interface Pair {
  /** The key of its first image. */
  readonly id: string;
  /** `contrastive`: the first shows what the text says, the second does not; `preference`: two models. */
  readonly kind: "contrastive" | "preference";
  readonly first: Item;
  readonly second: Item;
  /** Why somebody excluded it by hand: nothing that is concluded counts it. */
  readonly excluded?: string;
}

export interface Problem {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
}
