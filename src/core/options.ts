import { InputError } from "./errors.js";
import { nearest } from "./nearest.js";
import { isLost } from "./read-json.js";

interface Described {
  readonly description: string;
}

/**
 * A word without a flag, in the order of declaration. Required unless `optional`; all that are left where
 * it is `repeated`, which only the last one may be.
 */
export interface Positional extends Described {
  readonly kind: "positional";
  readonly optional?: true;
  readonly repeated?: true;
  /** Placeholder for it in the usage, where that is not its name in capitals. */
  readonly usage?: string;
  /** Flags that give it, too: `run status --run demo` is `run status demo`. */
  readonly flags?: readonly string[];
}

interface Flag<Value> extends Described {
  /** Placeholder for the value in the help, such as "FILE". */
  readonly value?: string;
  readonly default?: Value;
  readonly required?: true;
  /** May be given several times; the verb gets an array (empty when not given). */
  readonly repeated?: true;
}

export interface TextFlag extends Flag<string> {
  readonly kind: "text";
}

export interface ChoiceFlag extends Flag<string> {
  readonly kind: "choice";
  readonly choices: readonly string[];
  /** Other words for some of them. */
  readonly also?: Readonly<Record<string, string>>;
}

export interface NumberFlag extends Flag<number> {
  readonly kind: "number";
  readonly integer?: true;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** On when given, else off. */
export interface Switch extends Described {
  readonly kind: "switch";
}

export type Argument = Positional | TextFlag | ChoiceFlag | NumberFlag | Switch;
export type Arguments = Readonly<Record<string, Argument>>;

type OneValue<A extends Argument> = A extends NumberFlag
  ? number
  : A extends ChoiceFlag
    ? A["choices"][number]
    : string;

type ValueOf<A extends Argument> = A extends Switch
  ? boolean
  : A extends Positional
    ? A extends { repeated: true }
      ? readonly string[]
      : A extends { optional: true }
        ? string | undefined
        : string
    : A extends { repeated: true }
      ? readonly OneValue<A>[]
      : A extends { required: true } | { default: string | number }
        ? OneValue<A>
        : OneValue<A> | undefined;

/** Values for a verb: one member for each declared argument. */
export type Given<Declared extends Arguments> = {
  readonly [Name in keyof Declared]: ValueOf<Declared[Name]>;
};

/** A value as a flag gives it. */
export type Raw = string | number;

/** Names a flag's value in the help and in messages. */
export function valueName(name: string, flag: TextFlag | ChoiceFlag | NumberFlag): string {
  if (flag.value !== undefined) return flag.value;
  if (flag.kind === "choice") return flag.choices.join("|");
  return flag.kind === "number" ? "N" : name.toUpperCase();
}

/** "-" is standard input and "-3" a number; every other word with a dash in front is a flag. */
export const looksLikeFlag = (word: string) =>
  word.startsWith("-") && word !== "-" && !/^-\.?\d/.test(word);

/** @throws InputError where the text is no value of the flag. */
export function readValue(
  name: string,
  flag: TextFlag | ChoiceFlag | NumberFlag,
  said: string,
): Raw {
  const other = flag.kind === "choice" && Object.hasOwn(flag.also ?? {}, said);
  const text = other ? (flag.also?.[said] ?? said) : said;
  if (flag.kind === "choice" && !flag.choices.includes(text)) {
    const meant = nearest(text, flag.choices);
    throw new InputError(
      `Expected one of ${flag.choices.join(", ")} for --${name} but received "${text}"`,
      meant === undefined ? {} : { hint: `Did you mean ${meant}?` },
    );
  }
  return flag.kind === "number" ? readNumber(name, flag, text) : text;
}

function readNumber(name: string, flag: NumberFlag, text: string): number {
  const value = text.trim() === "" || isLost(text) ? Number.NaN : Number(text);
  const isKind = flag.integer === true ? Number.isSafeInteger(value) : Number.isFinite(value);
  const low = flag.minimum ?? Number.NEGATIVE_INFINITY;
  const high = flag.maximum ?? Number.POSITIVE_INFINITY;
  if (isKind && value >= low && value <= high) return value;
  const kind = flag.integer === true ? "a whole number" : "a number";
  const range = [
    flag.minimum === undefined ? "" : ` from ${flag.minimum}`,
    flag.maximum === undefined ? "" : ` to ${flag.maximum}`,
  ].join("");
  throw new InputError(`Expected ${kind}${range} for --${name} but received "${text}"`);
}

/** Returns a flag's values for a verb, its default, or nothing. */
export function flagValue(
  name: string,
  flag: Exclude<Argument, Positional>,
  values: Raw[] | true | undefined,
  verb: string,
): Raw | readonly Raw[] | boolean | undefined {
  if (flag.kind === "switch") return values === true;
  const all = values === undefined || values === true ? [] : values;
  if (flag.required === true && all.length === 0) {
    throw new InputError(`Expected --${name} for ${verb} but it was not given`, {
      hint: `--${name} ${valueName(name, flag)}: ${flag.description}`,
    });
  }
  if (flag.repeated !== true) return all[0] ?? flag.default;
  return all.length === 0 && flag.default !== undefined ? [flag.default] : all;
}

/** Entries of a form by argument: a text, several, or whether a switch is on; absent if not given. */
export type Filled = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/**
 * Reads a verb's values from a form in place of a line: an empty text counts as absent.
 *
 * @throws InputError as `parseArguments` does for a flag of the same value.
 * @example givenOf({ file: "a.csv", seed: "3" }, declared, "analyze swap")
 */
export function givenOf<Declared extends Arguments>(
  filled: Filled,
  declared: Declared,
  verb: string,
): Given<Declared> {
  const given: Record<string, Raw | readonly Raw[] | boolean | undefined> = {};
  for (const [name, argument] of Object.entries(declared)) {
    const value = filled[name];
    const texts = (Array.isArray(value) ? value : [value]).filter(
      (text) => typeof text === "string" && text !== "",
    );
    if (argument.kind === "positional") {
      if (texts[0] === undefined && argument.optional !== true) {
        throw new InputError(`Expected ${name.toUpperCase()} for ${verb} but received nothing`);
      }
      given[name] = argument.repeated === true ? texts : texts[0];
    } else if (argument.kind === "switch") given[name] = value === true;
    else {
      const values = texts.map((text) => readValue(name, argument, text));
      given[name] = flagValue(name, argument, values.length === 0 ? undefined : values, verb);
    }
  }
  // Each value was read by its own declaration.
  return given as Given<Declared>;
}
