import { mostLevels } from "./json.js";

/** Numbers that JSON lacks, as Python writes them. */
const bareNumbers = /([:,[]\s*)(?:NaN|-?Infinity)(?=\s*[,}\]])/g;

/**
 * Reads JSON that somebody else wrote, in which parsers pass over what is wrong: of a member that stands
 * twice they keep the last, a number too large becomes infinite, and one too small becomes 0. In the
 * place of such a value, and of what is nested more than `mostLevels` deep, stands a symbol, which fits no schema;
 * its description says what is wrong. So the rest can still be read; also beside NaN and Infinity, which are
 * no JSON but often written. The number -0 is 0.
 *
 * @throws SyntaxError for what is no JSON.
 * @example readJson('{"a": 1, "b": 2, "b": 3}') // { a: 1, b: Symbol("it stands there twice") }
 */
export function readJson(text: string): unknown {
  JSON.parse(text.replaceAll(bareNumbers, (_, before: string) => `${before}0`));
  return new Reader(text).value(1);
}

/** The value of a JSON text; undefined where the text is not JSON. */
export function jsonOrNone(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** Why there is no value at a place within what `readJson` read; `undefined` where there is one. */
export function lackAt(json: unknown, path: readonly PropertyKey[]): string | undefined {
  const value = path.reduce<unknown>((inner, name) => Object(inner)[name], json);
  return typeof value === "symbol" ? value.description : undefined;
}

const literals = /[\w.+-]+/y;

/** Reads a text that is known to be JSON. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    const start = this.#next();
    if (start === "{" || start === "[") {
      if (depth > mostLevels) return this.#passOver();
      return start === "{" ? this.#object(depth) : this.#array(depth);
    }
    return start === '"' ? this.#string() : this.#literal();
  }

  #object(depth: number): object {
    const members = new Map<string, unknown>();
    for (this.#at++; this.#next() !== "}"; this.#passComma()) {
      const name = this.#string();
      this.#next();
      this.#at++;
      const value = this.value(depth + 1);
      members.set(name, members.has(name) ? Symbol("it stands there twice") : value);
    }
    this.#at++;
    return Object.fromEntries(members);
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    for (this.#at++; this.#next() !== "]"; this.#passComma()) items.push(this.value(depth + 1));
    this.#at++;
    return items;
  }

  #string(): string {
    const start = this.#at;
    this.#at = endOfString(this.#text, start) + 1;
    const written = this.#text.slice(start, this.#at);
    return written.includes("\\") ? JSON.parse(written) : written.slice(1, -1);
  }

  #literal(): unknown {
    literals.lastIndex = this.#at;
    const [literal = ""] = literals.exec(this.#text) ?? [];
    this.#at += literal.length;
    if (/^(NaN|-?Infinity)$/.test(literal)) return Symbol(`it is ${literal}`);
    const value: unknown = JSON.parse(literal);
    if (typeof value !== "number") return value;
    if (isLost(literal)) return Symbol(`${excerptOf(literal)} is too small`);
    return Number.isFinite(value) ? value + 0 : Symbol(`${excerptOf(literal)} is too large`);
  }

  #passOver(): symbol {
    let open = 0;
    do {
      const character = this.#text[this.#at];
      if (character === '"') this.#at = endOfString(this.#text, this.#at);
      else if (character === "{" || character === "[") open++;
      else if (character === "}" || character === "]") open--;
      this.#at++;
    } while (open > 0);
    return Symbol(`it is nested more than ${mostLevels} deep`);
  }

  /** The next character that is no white space. */
  #next(): string | undefined {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
    return this.#text[this.#at];
  }

  #passComma(): void {
    if (this.#next() === ",") this.#at++;
  }
}

const excerptOf = (literal: string) => (literal.length > 20 ? `${literal.slice(0, 20)}…` : literal);

/** Where the string of a JSON text ends that begins at `start`: the place of its closing quotation mark. */
export function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * A number in a JSON text that would be read as 0 and is none, such as 1e-400: nobody gave a 0.
 * `undefined` where there is none. What stands in strings is no number.
 *
 * @example lostNumber('{"score": 1e-400}') // "1e-400"
 */
export function lostNumber(text: string): string | undefined {
  // Most texts have none that could be: many digits behind a point, or an exponent of three. To look
  // for a word takes less than a pattern.
  if (text.length < 300 && !text.includes("e-") && !text.includes("E-")) return undefined;
  if (!/e-\d{3}|\d{300}/i.test(text)) return undefined;
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return bare.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)?.find(isLost);
}

/** Whether the text of a number is read as 0 though one of its digits is not. */
export const isLost = (digits: string): boolean =>
  Number(digits) === 0 && /[1-9]/.test(digits.split(/e/i, 1)[0] ?? "");

/**
 * The number that a text is, as tables write it: strict, so no hexadecimal, no grouping, no decimal comma,
 * no unit and no space.
 *
 * @returns undefined where it is none.
 * @example decimalNumber("1e-3") // 0.001
 * @example decimalNumber("0x10") // undefined
 */
export const decimalNumber = (text: string): number | undefined =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
