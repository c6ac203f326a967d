import { InputError } from "../../core/errors.js";
import { score } from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import { isIdentifier } from "../../tables/rater-names.js";

interface Column {
  readonly values: (number | null)[];
  odd?: string;
  /** How many cells are fractions as text in a format that has numbers; whole numbers as text are often names. */
  fractions: number;
  /** How many cells are numbers as somebody prints them, and the first with its place. */
  dressed: number;
  dress?: string;
}

/** Finds out which columns hold numbers while the rows come. Columns of ids are none. */
export class NumericColumns {
  readonly #columns = new Map<string, Column>();
  readonly #others: readonly string[];
  #rows = 0;

  /** @param others columns that are left alone. */
  constructor(others: readonly string[]) {
    this.#others = others;
  }

  add(
    all: Readonly<Record<string, unknown>>,
    { place, isText }: { readonly place: string; readonly isText: boolean },
  ): void {
    for (const [name, cell] of Object.entries(all)) {
      if (this.#others.includes(name) || isIdentifier(name)) continue;
      const column = this.#columns.get(name) ?? { values: [], fractions: 0, dressed: 0 };
      this.#columns.set(name, column);
      const read = score.read(cell, { isText });
      if ("value" in read) column.values[this.#rows] = read.value;
      else {
        column.odd ??= `${quoted(cell)} in ${place}`;
        if (!isText && isFraction(cell)) column.fractions += 1;
        else if (typeof cell === "string" && isDressed(cell)) {
          column.dressed += 1;
          column.dress ??= `${quoted(cell)} in ${place}`;
        }
      }
    }
    this.#rows += 1;
  }

  /**
   * @throws InputError for a column that has numbers in some rows and something else in others, or in most rows
   *   numbers in another form, such as 71.2 %.
   */
  names(table: string): string[] {
    return [...this.#columns].flatMap(([name, { values, odd, dressed: count, dress }]) => {
      const hasNumbers = values.some((value) => value !== null);
      if (!hasNumbers && count > this.#rows / 2) {
        throw new InputError(
          `Expected numbers or nothing for ${name} but received ${dress} (in ${table})`,
          {
            hint:
              "Write plain numbers, such as 71.2 or 0.712; or leave the column out by naming the metrics to use " +
              "(--metrics a,b)",
          },
        );
      }
      if (hasNumbers && odd !== undefined) {
        throw new InputError(
          `Expected numbers or nothing for ${name} but received ${odd} (in ${table})`,
          {
            hint:
              "Correct it, name the value that means no answer (--unscored none), or name the " +
              "metrics to use (--metrics a,b)",
          },
        );
      }
      return hasNumbers ? [name] : [];
    });
  }

  /** Columns without a number of which most cells are fractions as text. */
  get asText(): string[] {
    return [...this.#columns].flatMap(([name, { values, fractions }]) =>
      fractions > this.#rows / 2 && values.every((value) => value === null) ? [name] : [],
    );
  }

  value(name: string, row: number): number | null {
    return this.#columns.get(name)?.values[row] ?? null;
  }
}

/** 71.2 %, 0,712, 1,234.0, [0.712], tensor(0.712) and ="0.712". */
const dressed =
  /^(?:(?:tensor|array|np\.float\d*)\(|\[|\(|=?"|[$€£])*\s*[-+]?(?:\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?:e[-+]?\d+)?\s*%?\s*(?:[)\]"]+|, *(?:device|dtype|grad_fn)[^,]*)*$/i;

const isDressed = (cell: string): boolean =>
  dressed.test(cell.trim()) && "expected" in score.read(cell, { isText: true });

/** Columns about a rating or an image, by names that hold no score. */
const aboutOthers =
  /^(?:n|num|number|no|count)[-_. ]?(?:of[-_. ])?(?:raters?|ratings?|votes?|annotators?|annotations?|workers?|labels?|images?)$|^(?:seed|width|height|steps?|cfg|guidance(?:[-_. ]?scale)?|times?|timestamps?|created(?:[-_. ]?at)?|dates?)$|[-_. ](?:seed|width|height|timestamp)$/i;

/** Behind a rating's name: what is said of it beside its value. */
const ofRating =
  /^[-_. ]?(?:std|stdev|std[-_. ]?dev|sd|sem|se|stderr|var|variance|n|count|num|min|max|low|high|lower|upper|ci[-_. ]?(?:low|high|lower|upper)?|raters?|votes?)$/i;

/**
 * Whether a column of numbers is none of a metric's by its name: about people's ratings (rating_std, n_raters) or how an
 * image was made (seed, width).
 */
export const isNoMetric = (name: string, people: readonly string[]): boolean =>
  aboutOthers.test(name) ||
  people.some((rating) => name.startsWith(rating) && ofRating.test(name.slice(rating.length)));

function isFraction(cell: unknown): boolean {
  const read = score.read(cell, { isText: true });
  return "value" in read && read.value !== null && !Number.isInteger(read.value);
}
