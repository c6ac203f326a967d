import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { readTable } from "../../../files/read-table.js";
import { kindAt } from "../../../files/regular-file.js";
import { rating } from "../../../tables/columns.js";
import { alikeNames, mostNames } from "../../../tables/no-data.js";
import type { ScoreItem } from "./score-item.js";

/** What the columns of items say, gathered row by row. */
export class ItemColumns {
  /** Columns beside image and text. */
  readonly names = new Set<string>();
  /** Values of the column model, two at most. */
  readonly makers = new Set<Json | undefined>();
  #rows = 0;
  readonly #images = new Set<string>();
  /** Columns that hold what people said by their name; in how many rows they have a rating or none, and a rating. */
  readonly #human = new Map<string, { read: number; rated: number }>();
  /** The first model that is named with each text. */
  readonly #modelOf: string[] = [];
  #namesAll = true;
  #comparesModels = false;

  /** @param prompt the number of its text */
  add({ image, text, others }: ScoreItem, prompt: number): void {
    this.#rows++;
    if (this.#images.size <= mostNames) this.#images.add(image);
    if (this.makers.size < 2) this.makers.add(others.model);
    for (const name in others) {
      this.names.add(name);
      if (humanName.test(name)) this.#read(name, others[name]);
    }
    const { model, human } = others;
    const isNamed = typeof model === "string" && model.trim() !== "" && text.trim() !== "";
    // compare reads a column human by itself, and refuses one that holds no numbers.
    this.#namesAll &&= isNamed && human === undefined;
    if (!this.#namesAll || typeof model !== "string") return;
    this.#modelOf[prompt] ??= model;
    if (this.#modelOf[prompt] !== model) this.#comparesModels = true;
  }

  /** Whether each item says which model made its image, and there are several, asked for the same. */
  get namesModels(): boolean {
    return this.#namesAll && this.#comparesModels;
  }

  /** The column that, by its name and its numbers, holds what people said, of some items at least. */
  get human(): string | undefined {
    const found = [...this.#human].find(([, { read, rated }]) => read === this.#rows && rated > 0);
    return found?.[0];
  }

  /** A sentence where names of images differ in case, spaces, accents or zeros alone. */
  get alikeImages(): string | undefined {
    return alikeNames("image", [...this.#images]);
  }

  #read(name: string, cell: Json | undefined): void {
    const counts = this.#human.get(name) ?? { read: 0, rated: 0 };
    this.#human.set(name, counts);
    // As verbs of `analyze` read it; they refuse what has no value.
    const found = rating.read(cell, { isText: true });
    if (!("value" in found)) return;
    counts.read++;
    if (found.value !== null) counts.rated++;
  }
}

const humanName = /^(human|people|rating)([_-]?(score|rating|judge?ment|mean))?$/i;

/** Names of columns of images and of texts elsewhere, the surest first. */
const otherNames = {
  image: ["file_name", "filename", "file", "path", "image_path", "image_file", "img"],
  text: ["prompt", "caption", "description"],
} as const;

type Guessed = Partial<Record<keyof typeof otherNames, string>>;

/**
 * Which columns of a table hold images and texts under other names, as its first row says; none of those
 * that it has under their own or the usual names, or that --map names. A stream is not looked at: it is
 * read once.
 */
export async function guessedColumns(
  table: { readonly name: string; readonly path: string },
  map: Readonly<Record<string, string>>,
  usual: Guessed = {},
): Promise<Guessed> {
  const isFile = (await kindAt(table.path)) === "file";
  if (!isFile) return {};
  try {
    for await (const { all } of readTable({ source: table, columns: {} })) {
      const found = (["image", "text"] as const).flatMap((name) => {
        if (Object.hasOwn(all, usual[name] ?? name) || Object.hasOwn(map, name)) return [];
        const guess = [name, ...otherNames[name]].find((other) => Object.hasOwn(all, other));
        return guess === undefined ? [] : [[name, guess] as const];
      });
      return Object.fromEntries(found);
    }
  } catch (error) {
    // Whoever reads the table says what is wrong with it.
    if (!(error instanceof InputError)) throw error;
  }
  return {};
}

/** Says what was guessed, and how to say otherwise. */
export function guessNotes(guessed: Guessed): string[] {
  const entries = Object.entries(guessed);
  const read = entries.map(([name, column]) => `the ${name} from the column ${column}`);
  return entries.length === 0
    ? []
    : [`Reading ${read.join(" and ")}; another one: --map ${entries[0]?.[0]}=my_column`];
}
