import type { Json, JsonObject } from "./json.js";
import { type Hash, type Key, keyOf } from "./keys.js";
import type { Metric, PairJudge } from "./metric.js";
import type { Picture } from "./models.js";
import type { About, AnyRecord, Outcome, RecordOf, RecordType } from "./records.js";
import type { UnscoredReason } from "./unscored.js";

/** The records that exist, latest attempt of each key, in the order in which they were planned. */
export interface Records {
  ofType<Type extends RecordType>(type: Type): AsyncIterable<RecordOf<Type>>;
}

/** Services that a step may use while it performs a task, apart from the models it was made with. */
export interface StepContext {
  readonly signal: AbortSignal;
  /** Stores bytes under their SHA-256; of those that lie in `file`, only where they are. */
  writeBlob(bytes: Uint8Array, mediaType: string, file?: string): Promise<Hash>;
  /** Keeps where a user's own file lies that has this SHA-256, and no copy of it. */
  refer(image: Hash, file: string): Promise<void>;
  /** Opens a stored image. */
  openPicture(image: Hash): Promise<Picture>;
  /** Keeps what a generator says is really in the picture of this task, apart from the records. */
  writeTruth(truth: Json): Promise<void>;
  /** The true content of the picture of the image record with this key. */
  readTruth(image: Key): Promise<Json | undefined>;
  /** Notes what can't be reproduced (time, cost, raw replies) beside the record. */
  trace(entry: JsonObject): void;
}

/**
 * Something that collects records. `plan` says what is to be collected, from the records that
 * exist; the loop asks `perform` for what is missing. Members of what `plan` yields, together with
 * the step's name and version, determine the record's key. A task without an answer throws
 * `NoAnswer`. Models and parameters are captured when the step is made; `parameters` repeats them
 * for `run.json`.
 */
export interface Step<Type extends RecordType = RecordType> {
  readonly name: string;
  /**
   * Tells steps of one name apart, such as one for each metric. Their records stand in files of
   * their own and differ in what they are about, so the part is in no key.
   */
  readonly part?: string;
  readonly version: number;
  readonly produces: Type;
  readonly parameters: JsonObject;
  /** Facts that the step is made again from and that are in no key, such as the text of a user's file. */
  readonly inputs?: JsonObject;
  /** The metric that scores in this step, which is then checked by placebos. */
  readonly metric?: Metric;
  /** The judge of pairs that answers in this step, which is checked likewise. */
  readonly judge?: PairJudge;
  /** The models that `perform` asks, by name and address (`placedName`); with none it costs nothing; not told where not given. */
  readonly asks?: readonly string[];
  plan(records: Records): AsyncIterable<About<Type>>;
  perform(about: About<Type>, context: StepContext): Promise<Outcome<Type>>;
  /**
   * Tells whether a record still says what its source says; one that does not is collected anew, and
   * nothing of it is kept. Only for steps over what may be corrected or erased: answers of people.
   */
  holds?(record: RecordOf<Type>): boolean;
}

/** Name of a step in a recipe, in file names and to people: `name`, or `name-part`. */
export const stepId = ({
  name,
  part,
}: {
  readonly name: string;
  readonly part?: string | undefined;
}): string => (part === undefined ? name : `${name}-${part}`);

/** A step of any type, as the loop takes them in a list. */
export type AnyStep = { [Type in RecordType]: Step<Type> }[RecordType];

/** Event that the loop reports to whoever watches, such as the terminal's bar. */
export type RunEvent =
  | {
      readonly kind: "step-planned";
      readonly step: string;
      readonly total: number;
      readonly reused: number;
      /** How many of the reused have no answer, by reason. */
      readonly reusedUnscored: Readonly<Partial<Record<UnscoredReason, number>>>;
      /** Expected cost of those to be asked, in US dollars, where earlier ones said theirs. */
      readonly estimatedCost?: number;
      /** Calls that those to be asked will make, of models whose calls can be counted before. */
      readonly forecast?: Forecast;
      /** Whether it asks nobody: what it does costs nothing. */
      readonly isFree?: boolean;
    }
  /** Nothing may be asked, and what the step plans from is still to be made. */
  | {
      readonly kind: "step-unforeseen";
      readonly step: string;
    }
  | {
      readonly kind: "record";
      readonly step: string;
      readonly record: AnyRecord;
      /** US dollars, where the models asked for this record said so in the trace. */
      readonly cost?: number;
      /** Calls whose cost is a forecast, where there are any. */
      readonly byForecast?: number;
      /** Whether the answer came from a cache, as the trace says. */
      readonly cached?: boolean;
    }
  /** The step was finished by another version, or with other parameters, and is kept as it is. */
  | {
      readonly kind: "step-kept";
      readonly step: string;
      readonly differences: readonly string[];
    }
  /** So many images of the step are gone or damaged; they are asked for anew. */
  | {
      readonly kind: "images-broken";
      readonly step: string;
      readonly images: number;
      /** The fault of the first, one sentence. */
      readonly example: string;
    }
  | {
      readonly kind: "step-finished";
      readonly step: string;
      /** Earlier records that the plan has not: they went to the trace. */
      readonly unplanned?: number;
    };

/** Words as the part of a step's name, which is part of a file's. */
export function partNamed(words: readonly string[]): string {
  const part = words
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  // File systems take names of 255 bytes.
  return part.length > 0 && part.length <= 120 ? part : `${part.slice(0, 100)}${keyOf([...words])}`;
}

/** Work of a step that is still to be done, as JSON has it; null where that is not known. */
export interface Foreseen {
  /** The step. */
  readonly what: string;
  /** Answers that are wanted; null where what it depends on is still to be made. */
  readonly tasks: number | null;
  readonly calls: number | null;
  /** US dollars. */
  readonly cost: number | null;
}

/** Expected calls and costs of work, before anything is asked. */
export interface Forecast {
  /** About how many calls; what a cache answers is none. */
  readonly calls: number;
  /** About how much in US dollars; `undefined` where a price is not known. */
  readonly cost: number | undefined;
  /** The models whose price is not known. */
  readonly unpriced: readonly string[];
  /** Where prices are from, such as "2026-04". */
  readonly prices: readonly string[];
  /** The expected cost of the dearest task, in US dollars. */
  readonly dearest: number;
  /** Whether that is its price, not a guess. */
  readonly isExact: boolean;
  /** The calls of the task that makes most. */
  readonly mostCalls: number;
}
