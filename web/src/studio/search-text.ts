/** A word in an address, which the router may have read as a number or as true; undefined where nothing stands. */
export function searchText(value: unknown): string | undefined {
  const isWord = ["string", "number", "boolean"].includes(typeof value) && value !== "";
  return isWord ? String(value) : undefined;
}

/** The words of an address under these names, each where something stands. */
export const searchTexts = <Name extends string>(
  given: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = searchText(given[name]);
      return text === undefined ? [] : [[name, text]];
    }),
  ) as Partial<Record<Name, string>>;
