import { InputError } from "../core/errors.js";
import type { Arguments } from "../core/options.js";
import type { ColumnKind } from "./columns.js";

/** Argument of a verb whose answers may have other names in a table. */
export const valuesArgument = {
  values: {
    kind: "text",
    value: "WORD=VALUE,…",
    description: "read words of the answers as other values: left=a,right=b,true=1",
  },
} as const satisfies Arguments;

/**
 * Reads what was given for --values.
 *
 * @throws InputError for another form, and for a word given twice.
 */
export function parseValues(text: string | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of text?.split(",") ?? []) {
    const [, word = "", value] = /^([^=]+)=(.*)$/.exec(part.trim()) ?? [];
    const key = word.trim();
    if (value === undefined || key === "" || values.has(key)) {
      throw new InputError(
        `Expected WORD=VALUE, each word once, for --values but received "${text}"`,
        { hint: "Such as --values left=a,right=b" },
      );
    }
    values.set(key, value.trim());
  }
  return values;
}

/** A column whose words are read as other values: as they stand, else in lower case, as True of `true=1`. */
export function recoded<Kind extends ColumnKind<unknown>>(
  kind: Kind,
  values: ReadonlyMap<string, string>,
): Kind {
  if (values.size === 0) return kind;
  // A number may be a word, too.
  const { isNumber: _number, isAnyText: _text, ...others } = kind;
  return {
    ...others,
    read(cell: unknown, about: { readonly isText: boolean }) {
      if (!["string", "number", "boolean"].includes(typeof cell)) return kind.read(cell, about);
      const word = String(cell).trim();
      const value = values.get(word) ?? values.get(word.toLowerCase());
      return value === undefined ? kind.read(cell, about) : kind.read(value, { isText: true });
    },
    // It reads what the kind reads.
  } as Kind;
}
