import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { append } from "../../../core/arrays.js";
import type { Hash } from "../../../core/keys.js";
import { GrowingNumbers } from "../../../core/number-lists.js";
import { fileError } from "../../../files/file-error.js";
import { readJsonBatches } from "../../../files/json-lines.js";
import { Dictionary } from "../../../tables/dictionary.js";
import { alikeNames, mostNames } from "../../../tables/no-data.js";
import { ItemColumns } from "./item-columns.js";
import type { ScoreItem } from "./score-item.js";

/** An item of a list. */
export interface ListedItem extends ScoreItem {
  /** The number of its text: equal texts have one. */
  readonly prompt: number;
  /** How often its image stood with this text in rows before. */
  readonly trial: number;
  /** Whether no row before has its image. */
  readonly isFirst: boolean;
  /** Whether no other row has its image. */
  readonly isAlone: boolean;
}

/** An item that can be scored. */
export type SoundItem = ListedItem & { readonly hash: Hash };

export const isSound = (item: ListedItem): item is SoundItem =>
  item.hash !== undefined && item.problem === undefined;

/** What is asked of an item that can be scored. */
export type AskedItem = Pick<
  SoundItem,
  "hash" | "text" | "structure" | "trial" | "isFirst" | "isAlone"
>;

/** What was found of an image's file. */
export type Looked = Pick<ScoreItem, "hash" | "problem">;

/** The number of the image of a row that names none. */
const noImage = -1;

/** Rows that are alike. */
export interface Repeats {
  /** Rows that repeat the image and text of an earlier one, and the first of them. */
  readonly rows: number;
  readonly row: number;
  readonly images: number;
  /** Images that stand in several rows, and the first row that has one. */
  readonly severalTimes: number;
  readonly severalRow: number;
}

/** Items kept in memory; more go to a temporary file. */
const mostHeld = 8192;

/**
 * Items to score. Beyond `mostHeld` they lie in a temporary file; memory holds numbers of each, and every different
 * text, structure, path and hash once: so what is asked is told without reading them again.
 */
export class ItemList {
  /** What their columns say. */
  readonly columns = new ItemColumns();
  readonly #texts = new Dictionary();
  /** Structures as JSON; of a row that has none, "". */
  readonly #structures = new Dictionary();
  /** Paths of images; what was found of each stands in `#looked`, and the first with its bytes in `#twin`. */
  readonly #images = new Dictionary();
  readonly #looked: (Looked | undefined)[] = [];
  readonly #twin: number[] = [];
  readonly #image = new GrowingNumbers(Int32Array);
  readonly #text = new GrowingNumbers(Int32Array);
  readonly #structure = new GrowingNumbers(Int32Array);
  readonly #trial = new GrowingNumbers(Int32Array);
  #held: ScoreItem[] = [];
  #written = 0;
  #folder: string | undefined;
  #hasProblem = false;
  #rowsOf = new Uint32Array();
  #different = 0;

  static async of(items: Iterable<ScoreItem>): Promise<ItemList> {
    const list = new ItemList();
    for (const item of items) await list.add(item);
    return list;
  }

  get length(): number {
    return this.#written + this.#held.length;
  }

  /** How many different images they have, of those that could be read. */
  get images(): number {
    return this.#different;
  }

  /** How many different texts they have. */
  get prompts(): number {
    return this.#texts.count;
  }

  /** A text by its number. */
  readonly promptText = (prompt: number): string => this.#texts.textOf(prompt);

  async add(item: ScoreItem): Promise<void> {
    const text = this.#texts.codeOf(item.text);
    const image = this.#images.codeOf(item.path);
    this.#image.push(item.problem === undefined ? image : noImage);
    this.#hasProblem ||= item.problem !== undefined;
    this.#text.push(text);
    const { structure } = item;
    this.#structure.push(
      this.#structures.codeOf(structure === undefined ? "" : JSON.stringify(structure)),
    );
    this.columns.add(item, text);
    if (this.#held.push(item) === mostHeld) await this.#write();
  }

  /** Whether a row has a problem, or its image one. */
  get hasProblem(): boolean {
    return this.#hasProblem;
  }

  /** Whether a row names the image at this path. */
  hasImage(path: string): boolean {
    return this.#images.has(path);
  }

  /** Sentences on names that differ in case, spaces, accents or zeros alone. */
  alikeNotes(): string[] {
    const { count } = this.#texts;
    const texts = count > mostNames ? [] : Array.from({ length: count }, (_, at) => at);
    const inTexts = alikeNames("text", texts.map(this.promptText));
    return [this.columns.alikeImages, inTexts].filter((note) => note !== undefined);
  }

  /** Looks at every image that an item without a problem names, some at a time, each once. */
  async look(
    lookAt: (item: ScoreItem) => Promise<Looked>,
    { atATime, onLooked }: { readonly atATime: number; onLooked(done: number, all: number): void },
  ): Promise<void> {
    let left = 0;
    let begun: Promise<void>[] = [];
    const end = async () => {
      await Promise.all(begun);
      begun = [];
      onLooked(all - left, all);
    };
    const isBegun = new Uint8Array(this.#images.count).fill(1);
    for (let row = 0; row < this.length; row++) {
      const image = this.#image.at(row);
      if (isBegun[image] === 1) left++;
      isBegun[image] = 0;
    }
    const all = left;
    let row = 0;
    going: for await (const items of this.#batches()) {
      for (const item of items) {
        const image = this.#image.at(row++);
        if (isBegun[image] === 1 || item.problem !== undefined) continue;
        isBegun[image] = 1;
        left--;
        const note = (found: Looked) => {
          this.#looked[image] = found;
          this.#hasProblem ||= found.problem !== undefined;
        };
        begun.push(lookAt(item).then(note));
        if (begun.length === atATime) await end();
        if (left === 0) break going;
      }
    }
    await end();
    this.#findTwins();
  }

  /** What was found of a row's image. */
  looked(row: number): Looked {
    return this.#looked[this.#image.at(row)] ?? {};
  }

  /** How many rows have a problem, or an image that is among the `unread`. */
  countProblems(unread: ReadonlyMap<Hash | undefined, string>): number {
    let count = 0;
    for (let row = 0; row < this.length; row++) {
      const { hash, problem } = this.looked(row);
      const isBad = this.#image.at(row) === noImage || problem !== undefined;
      if (isBad || unread.has(hash)) count++;
    }
    return count;
  }

  /** The items in their order, those together that were read together. */
  async *batches(): AsyncGenerator<readonly ListedItem[]> {
    const standingOf = this.#standings();
    let row = 0;
    for await (const items of this.#batches()) {
      yield items.map((item): ListedItem => {
        const listed = Object.assign(item, this.looked(row), standingOf(row));
        row++;
        return listed;
      });
    }
  }

  /** What is asked, in the order of the items. */
  *asked(): Generator<AskedItem> {
    const standingOf = this.#standings();
    for (let row = 0; row < this.length; row++) {
      const { hash, problem } = this.looked(row);
      if (hash === undefined || problem !== undefined) continue;
      const { trial, isFirst, isAlone } = standingOf(row);
      const text = this.#texts.decoded(this.#text.at(row));
      const described = this.#structures.textOf(this.#structure.at(row));
      const asked = { hash, text, trial, isFirst, isAlone };
      yield described === "" ? asked : { ...asked, structure: JSON.parse(described) };
    }
  }

  /** Where rows stand among the others; to be asked of each, in their order. */
  #standings(): (row: number) => Pick<ListedItem, "prompt" | "trial" | "isFirst" | "isAlone"> {
    const isTaken = new Uint8Array(this.#images.count);
    return (row) => {
      const twin = this.#twinOf(row);
      const isFirst = this.looked(row).hash !== undefined && isTaken[twin] !== 1;
      if (isFirst) isTaken[twin] = 1;
      const isAlone = isFirst && this.#rowsOf[twin] === 1;
      return { prompt: this.#text.at(row), trial: this.#trial.at(row), isFirst, isAlone };
    };
  }

  /** The item of a row. */
  async at(row: number): Promise<ListedItem> {
    let before = 0;
    for await (const items of this.batches()) {
      const item = items[row - before];
      if (item !== undefined) return item;
      before += items.length;
    }
    throw new RangeError(`Expected a row below ${before} but received ${row}`);
  }

  /** How many rows repeat the image and text of an earlier one, how many images stand in several, and the first row of each. */
  repeats(): Repeats {
    const found = { rows: 0, row: 0, images: 0, severalTimes: 0, severalRow: 0 };
    for (const rows of this.#rowsOf) {
      if (rows > 0) found.images++;
      if (rows > 1) found.severalTimes++;
    }
    for (let row = this.length - 1; row >= 0; row--) {
      if ((this.#rowsOf[this.#twinOf(row)] ?? 0) > 1) found.severalRow = row;
      if (this.#trial.at(row) === 0) continue;
      found.rows++;
      found.row = row;
    }
    return found;
  }

  /** All of them, where they fit into memory. */
  async all(): Promise<ListedItem[]> {
    const items: ListedItem[] = [];
    for await (const batch of this.batches()) append(items, batch);
    return items;
  }

  /** Removes the temporary file. */
  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async *#batches(): AsyncGenerator<readonly ScoreItem[]> {
    if (this.#folder !== undefined) {
      for await (const lines of readJsonBatches(pathIn(this.#folder))) {
        yield lines.map(({ value }) => value as ScoreItem);
      }
    }
    yield this.#held;
  }

  async #write(): Promise<void> {
    try {
      this.#folder ??= await mkdtemp(join(tmpdir(), "touchstone-items-"));
      const lines = this.#held.map((item) => `${JSON.stringify(item)}\n`).join("");
      await appendFile(pathIn(this.#folder), lines);
    } catch (error) {
      throw fileError(error, "write", this.#folder ?? tmpdir());
    }
    this.#written += this.#held.length;
    this.#held = [];
  }

  #twinOf(row: number): number {
    const image = this.#image.at(row);
    return this.#twin[image] ?? image;
  }

  /** Images of equal bytes are one; rows with the same image and text are told apart by their trial. */
  #findTwins(): void {
    const first = new Map<Hash, number>();
    for (const [image, { hash } = {}] of this.#looked.entries()) {
      if (hash === undefined) continue;
      const twin = first.get(hash) ?? image;
      if (twin === image) first.set(hash, image);
      this.#twin[image] = twin;
    }
    this.#different = first.size;
    this.#rowsOf = new Uint32Array(this.#images.count);
    const pair = new Int32Array(2);
    const bytes = new Uint8Array(pair.buffer);
    const pairs = new Dictionary();
    const counts = new GrowingNumbers(Int32Array);
    for (let row = 0; row < this.length; row++) {
      const twin = this.#twinOf(row);
      if (twin === noImage) continue;
      this.#rowsOf[twin] = (this.#rowsOf[twin] ?? 0) + 1;
      pair[0] = twin;
      pair[1] = this.#text.at(row);
      const at = pairs.codeAt(bytes, 0, bytes.length);
      const trial = counts.at(at);
      counts.put(at, trial + 1);
      this.#trial.put(row, trial);
    }
  }
}

const pathIn = (folder: string) => join(folder, "items.jsonl");
