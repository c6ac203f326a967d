import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Key } from "../core/keys.js";
import { placed } from "../core/models.js";
import { stepId } from "../core/step.js";
import { readJsonLines } from "../files/jsonl.js";
import { RunFolder } from "../files/run-folder/run-folder.js";
import type { Place } from "../files/run-folder/segment.js";
import type { IndexProgress, StepProgress, TextKind } from "./api.js";
import type { ImageRow, Origin } from "./image-row.js";
import { type IndexedOf, type IndexedRecord, indexedLine } from "./indexed-record.js";
import { identityOf, ScoreTable } from "./score-table.js";
import { StepTally } from "./step-tally.js";

/** A file of records and how much of it was read. */
interface ReadFile {
  readonly path: string;
  readonly step: number;
  inode: number;
  read: number;
  size: number;
}

type Score = IndexedOf<"score">;

/**
 * What a gallery needs of a run's records, in columns, and where each image's line stands. Made when
 * the run is first opened, and kept up by `refresh`, which reads what was appended since.
 */
export class RunIndex {
  readonly directory: string;
  #run: RunFolder;
  #recipeChanged = 0;
  readonly #files = new Map<string, ReadFile>();
  readonly #rows: ImageRow[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #origins = new Map<string, Origin>();
  readonly #tables = new Map<string, ScoreTable>();
  readonly #tablesById = new Map<string, ScoreTable>();
  /** Scores that were met before the image that they are of. */
  #early: { readonly score: Score; readonly place: Place }[] = [];
  readonly #tallies: (StepTally | undefined)[] = [];
  #version = 0;
  #isReady = false;
  #refreshing: Promise<void> | undefined;

  private constructor(directory: string, run: RunFolder) {
    this.directory = directory;
    this.#run = run;
  }

  /** @throws InputError where the folder is no run. */
  static async open(directory: string): Promise<RunIndex> {
    return new RunIndex(directory, await openRun(directory));
  }

  get run(): RunFolder {
    return this.#run;
  }

  /** Rises whenever something was added. */
  get version(): number {
    return this.#version;
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

  /** Where the line of a record stands, by its whole key. */
  placeOf(key: Key): Place | undefined {
    for (const tally of this.#tallies) {
      const place = tally?.placeOf(key);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  originOf({ prompt }: Pick<ImageRow, "prompt">): Origin | undefined {
    return this.#origins.get(prompt);
  }

  get progress(): IndexProgress {
    const files = [...this.#files.values()];
    const sum = (of: (file: ReadFile) => number) =>
      files.reduce((total, file) => total + of(file), 0);
    return {
      read: sum(({ read }) => read),
      total: sum(({ size }) => size),
      isReady: this.#isReady,
      version: this.#version,
    };
  }

  get steps(): readonly StepProgress[] {
    return this.#run.recipe.steps.map((step, position) => {
      const { done, unscored } = this.#tallies[position] ?? new StepTally();
      const own = [...this.#files.values()].filter((file) => file.step === position);
      const isFinished = own.length > 0 && own.every(({ path }) => this.#isFinal(path, position));
      return { step: stepId(step), produces: step.produces, done, unscored, isFinished };
    });
  }

  /** Reads what is new. Calls at one time share one reading. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#readNew().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #readNew(): Promise<void> {
    await this.#readRecipe();
    const present = new Set<string>();
    // Segments first: one that is removed meanwhile was put in order into the step's file.
    for (const [step, files] of this.#run.stepFiles().entries()) {
      const segments = (await files.segments()).map(({ path }) => path);
      for (const path of [...segments, files.path]) {
        const found = await stat(path).catch(() => undefined);
        if (found === undefined) continue;
        present.add(path);
        const known = this.#files.get(path);
        if (known === undefined || known.inode !== found.ino || found.size < known.read) {
          this.#files.set(path, { path, step, inode: found.ino, read: 0, size: found.size });
        } else known.size = found.size;
      }
    }
    for (const path of this.#files.keys()) if (!present.has(path)) this.#files.delete(path);
    for (const file of this.#files.values()) await this.#readOn(file);
    this.#isReady = true;
  }

  async #readRecipe(): Promise<void> {
    const { mtimeMs } = await stat(join(this.directory, "run.json"));
    if (mtimeMs === this.#recipeChanged) return;
    this.#run = await openRun(this.directory);
    this.#recipeChanged = mtimeMs;
  }

  async #readOn(file: ReadFile): Promise<void> {
    if (file.read >= file.size) return;
    const tally = this.#tallyOf(file.step);
    const options = { tolerateTornTail: true, from: file.read };
    for await (const { value, offset, length } of readJsonLines(file.path, options)) {
      const line = indexedLine(value);
      file.read = offset + length + 1;
      this.#version++;
      if (line === undefined) continue;
      const place = { path: file.path, offset, length };
      tally.take(line.standing, place);
      if (line.record !== undefined) this.#take(line.record, file, place);
    }
    this.#takeEarly();
  }

  #take(record: IndexedRecord, { step }: ReadFile, place: Place): void {
    if (record.type === "image") this.#takeImage(record, step, place);
    else if (record.type === "score") this.#takeScore(record, place);
    else this.#origins.set(record.key, originOf(record));
  }

  #takeImage(record: IndexedOf<"image">, step: number, place: Place): void {
    const known = this.#byKey.get(record.key);
    const before = known === undefined ? undefined : this.#rows[known];
    if (before !== undefined && before.attempt > record.attempt) return;
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

  #takeScore(score: Score, place: Place): void {
    const image = this.#byKey.get(score.of);
    const row = image === undefined ? undefined : this.#rows[image];
    if (image === undefined || row === undefined) {
      this.#early.push({ score, place });
      return;
    }
    this.#tableOf(score, this.#kindOf(score, row)).take(image, score, place);
  }

  #takeEarly(): void {
    if (this.#early.length === 0) return;
    const waiting = this.#early;
    this.#early = [];
    for (const { score, place } of waiting) this.#takeScore(score, place);
  }

  #kindOf({ text }: Score, row: ImageRow): TextKind {
    const origin = this.originOf(row);
    if (origin?.kind === "prompt" && text === origin.text) return "prompt";
    if (text === row.text || text === origin?.text) return "own";
    return text === origin?.swapped ? "swapped" : "other";
  }

  #tableOf(score: Score, against: TextKind): ScoreTable {
    const name = `${against} ${identityOf(score)}`;
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = new ScoreTable(score, against);
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

  #isFinal(path: string, position: number): boolean {
    return this.#run.stepFiles()[position]?.path === path;
  }
}

/** What was edited since is told of by `run verify`; here it is still to be looked at. */
const openRun = (directory: string) => RunFolder.open({ directory, anyhow: true });

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
