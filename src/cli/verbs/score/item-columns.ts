import type { Json } from "../../../core/json.js";
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
