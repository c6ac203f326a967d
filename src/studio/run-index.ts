import type { Key } from "../core/keys.js";
import { placed } from "../core/models.js";
import type {
  FollowedRecord,
  RecordFollower,
  RecordPosition,
  RecordStore,
} from "../core/record-store.js";
import type { AnyRecord } from "../core/records.js";
import { stepId } from "../core/step.js";
import type { UnscoredReason } from "../core/unscored.js";
import { type Attempted, RecordIndex } from "../files/record-index.js";
import type { IndexProgress, StepCount, TextKind } from "./api.js";
import type { ImageRow, Origin } from "./image-row.js";
import {
  type IndexedName,
  type IndexedOf,
  type IndexedRecord,
  indexedLine,
} from "./indexed-record.js";
import { identityOf, ScoreTable } from "./score-table.js";

type Score = IndexedOf<"score">;

/** Where a record is kept. */
interface Kept {
  /** Its step's place in the recipe. */
  readonly step: number;
  readonly place: RecordPosition;
  /** Whether it counts even for more than a later attempt: its step is in order. */
  readonly always: boolean;
}

/**
 * A run's records in columns, as a gallery needs them, and where each is kept. Made when
 * the run is first opened, and kept up by `refresh`, which reads what was appended since.
 */
export class RunIndex {
  readonly run: RecordStore;
  readonly #follower: RecordFollower;
  readonly #finished = new Set<string>();
  readonly #places = new Map<string, number>();
  readonly #rows: ImageRow[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #origins = new Map<string, Origin>();
  readonly #tables = new Map<string, ScoreTable>();
  readonly #tablesById = new Map<string, ScoreTable>();
  #last: ScoreTable | undefined;
  /** Scores that were met before the image that they are of. */
  #early: { readonly score: Score; readonly kept: Kept }[] = [];
  readonly #tallies: (StepTally | undefined)[] = [];
  #version = 0;
  #imagesVersion = 0;
  #isReady = false;
  #hasImages = false;
  /** Who waits for the images, and reads on before the rest is there. */
  #waiting: (() => void)[] = [];
  /** What goes before the reading of scores. */
  readonly #urgent = new Set<Promise<unknown>>();
  #readAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  constructor(run: RecordStore) {
    this.run = run;
    this.#follower = run.follow();
  }

  /** Rises whenever something was added. */
  get version(): number {
    return this.#version;
  }

  /** Rises whenever an image was added, or what one was made from. */
  get imagesVersion(): number {
    return this.#imagesVersion;
  }

  get rows(): readonly ImageRow[] {
    return this.#rows;
  }

  get tables(): readonly ScoreTable[] {
    return [...this.#tables.values()];
  }

  table(id: string): ScoreTable | undefined {
    return this.#tablesById.get(id);
  }

  /** Where in `rows` an image stands. */
  rowOf(key: string): number | undefined {
    return this.#byKey.get(key);
  }

  /** Where a record is kept, by its whole key. */
  placeOf(key: Key): RecordPosition | undefined {
    for (const tally of this.#tallies) {
      const place = tally?.placeOf(key);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  /** @throws InputError where one is gone, or no longer a record. */
  async read(places: readonly RecordPosition[]): Promise<readonly AnyRecord[]> {
    const records: AnyRecord[] = [];
    for await (const record of this.#follower.read(places)) records.push(record);
    return records;
  }

  originOf({ prompt }: Pick<ImageRow, "prompt">): Origin | undefined {
    return this.#origins.get(prompt);
  }

  get progress(): IndexProgress {
    return { ...this.#follower.progress, isReady: this.#isReady, version: this.#version };
  }

  get steps(): readonly StepCount[] {
    return this.run.recipe.steps.map((step, position) => {
      const { done, unscored } = this.#tallies[position] ?? new StepTally();
      const id = stepId(step);
      return {
        step: id,
        produces: step.produces,
        done,
        unscored,
        isFinished: this.#finished.has(id),
      };
    });
  }

  /**
   * Reads what is new. Calls at one time share one reading.
   *
   * @param options.unlessWithin milliseconds; what was read that short ago is new enough
   */
  async refresh({ unlessWithin = 0 }: { readonly unlessWithin?: number } = {}): Promise<void> {
    if (performance.now() - this.#readAt < unlessWithin) return;
    this.#refreshing ??= this.#readNew().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  /** Resolves once all images were read, though not yet what was made of them. Rejects where they can't be. */
  async images(): Promise<void> {
    const reading = this.refresh({ unlessWithin: 250 });
    if (this.#hasImages) {
      reading.catch(() => {});
      return;
    }
    await Promise.race([reading, new Promise<void>((resolve) => this.#waiting.push(resolve))]);
  }

  /** Does what a page waits for, such as a picture of its first rows, before scores are read on. */
  async first<Result>(work: Promise<Result>): Promise<Result> {
    this.#urgent.add(work);
    try {
      return await work;
    } finally {
      this.#urgent.delete(work);
    }
  }

  async #readNew(): Promise<void> {
    const { steps } = this.run.recipe;
    const lastImages = steps.findLastIndex(({ produces }) => produces === "image");
    for await (const records of this.#follower.news()) {
      for (const record of records) this.#takeNew(record);
      if (!this.#hasImages && this.#placeInRecipe(records.at(-1)?.step ?? "") > lastImages) {
        this.#hasImages = true;
        for (const go of this.#waiting.splice(0)) go();
      }
      while (this.#hasImages && this.#urgent.size > 0) await Promise.allSettled(this.#urgent);
    }
    this.#takeEarly();
    // A step with nothing to do writes no file: it counts as finished once a later step is.
    let isPassed = false;
    for (const step of this.run.recipe.steps.map(stepId).reverse()) {
      const state = await this.run.stateOf(step);
      isPassed ||= state === "finished";
      if (state === "finished" || (state === "absent" && isPassed)) this.#finished.add(step);
      else this.#finished.delete(step);
    }
    this.#isReady = true;
    this.#readAt = performance.now();
  }

  #takeNew({ step, value, position, isInOrder: always }: FollowedRecord): void {
    const line = indexedLine(value);
    this.#version++;
    if (line === undefined) return;
    const at = this.#placeInRecipe(step);
    this.#tallyOf(at).take(line.standing, position, { always });
    if (line.record !== undefined) this.#take(line.record, { step: at, place: position, always });
  }

  /** Steps are added to a recipe, never moved. */
  #placeInRecipe(step: string): number {
    const known = this.#places.get(step);
    if (known !== undefined) return known;
    const at = this.run.recipe.steps.findIndex((described) => stepId(described) === step);
    this.#places.set(step, at);
    return at;
  }

  #take(record: IndexedRecord, kept: Kept): void {
    if (record.type === "score") {
      this.#takeScore(record, kept);
      return;
    }
    this.#imagesVersion++;
    if (record.type === "image") this.#takeImage(record, kept);
    else this.#origins.set(record.key, originOf(record));
  }

  #takeImage(record: IndexedOf<"image">, { step, place, always }: Kept): void {
    const known = this.#byKey.get(record.key);
    const before = known === undefined ? undefined : this.#rows[known];
    if (before !== undefined && before.attempt > record.attempt && !always) return;
    const row: ImageRow = {
      key: record.key,
      attempt: record.attempt,
      image: record.image ?? null,
      width: record.width ?? null,
      height: record.height ?? null,
      text: record.text,
      role: same(record.role),
      sample: record.sample,
      generator: same(placed(record)),
      prompt: before?.prompt ?? record.prompt,
      reason: record.reason ?? null,
      place,
      step,
    };
    if (known !== undefined) this.#rows[known] = row;
    else this.#byKey.set(record.key, this.#rows.push(row) - 1);
  }

  #takeScore(score: Score, kept: Kept): void {
    const image = this.#byKey.get(score.of);
    const row = image === undefined ? undefined : this.#rows[image];
    if (image === undefined || row === undefined) {
      this.#early.push({ score, kept });
      return;
    }
    this.#tableOf(score, this.#kindOf(score, row)).take(image, score, kept.place, kept);
  }

  #takeEarly(): void {
    if (this.#early.length === 0) return;
    const waiting = this.#early;
    this.#early = [];
    for (const { score, kept } of waiting) this.#takeScore(score, kept);
  }

  #kindOf({ text }: Score, row: ImageRow): TextKind {
    const origin = this.originOf(row);
    if (origin?.kind === "prompt" && text === origin.text) return "prompt";
    if (text === row.text || text === origin?.text) return "own";
    return text === origin?.swapped ? "swapped" : "other";
  }

  #tableOf(score: Score, against: TextKind): ScoreTable {
    // Scores of one metric follow each other.
    if (this.#last?.against === against && this.#last.isOf(score)) return this.#last;
    const name = `${against} ${identityOf(score)}`;
    const known = this.#tables.get(name);
    if (known !== undefined) {
      this.#last = known;
      return known;
    }
    const table = new ScoreTable(score, against);
    this.#last = table;
    this.#tables.set(name, table);
    this.#tablesById.set(table.id, table);
    return table;
  }

  #tallyOf(step: number): StepTally {
    const known = this.#tallies[step];
    if (known !== undefined) return known;
    const tally = new StepTally();
    this.#tallies[step] = tally;
    return tally;
  }
}

function originOf(record: Exclude<IndexedRecord, { type: "image" | "score" }>): Origin {
  switch (record.type) {
    case "prompt":
      return {
        kind: "prompt",
        domain: same(record.domain),
        text: record.text ?? null,
        swapped: null,
      };
    case "description":
      return {
        kind: "description",
        domain: same(record.set),
        text: record.text ?? null,
        swapped: record.swapped ?? null,
      };
    case "pair":
      return { kind: "pair", domain: record.subject ?? null, text: null, swapped: null };
    case "query":
      return { kind: "query", domain: same(record.category), text: null, swapped: null };
  }
}

/** One string for all that are equal, so that many rows hold few. */
const strings = new Map<string, string>();
function same(text: string): string {
  const known = strings.get(text);
  if (known !== undefined) return known;
  strings.set(text, text);
  return text;
}

/** Counts of a step's records and where they lie, by the latest attempt of each key. */
class StepTally {
  readonly #index = new RecordIndex();
  readonly #unscored = new Map<UnscoredReason, number>();

  /** @param always whether it replaces even a later attempt, as records of a finished step do */
  take(record: IndexedName, place: RecordPosition, { always }: { readonly always: boolean }): void {
    const standing = this.#index.get(record.key);
    this.#index.take(attempted(record), place, { instead: true, always });
    const before = standing?.reason;
    const now = standing === undefined ? record.reason : this.#index.get(record.key)?.reason;
    if (before === now) return;
    if (before !== undefined) this.#count(before, -1);
    if (now !== undefined) this.#count(now, 1);
  }

  placeOf(key: Key): RecordPosition | undefined {
    return this.#index.place(key);
  }

  get done(): number {
    const without = [...this.#unscored.values()].reduce((sum, count) => sum + count, 0);
    return this.#index.recorded - without;
  }

  get unscored(): Readonly<Partial<Record<UnscoredReason, number>>> {
    return Object.fromEntries([...this.#unscored].filter(([, count]) => count > 0));
  }

  #count(reason: UnscoredReason, by: number): void {
    this.#unscored.set(reason, (this.#unscored.get(reason) ?? 0) + by);
  }
}

function attempted({ key, attempt, status, reason, retryable = false }: IndexedName): Attempted {
  return status === "unscored" && reason !== undefined
    ? { key, attempt, status, reason, retryable }
    : { key, attempt, status: "done" };
}
