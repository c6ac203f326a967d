/** What a page is handed whose choices stand in its address. */
export interface Searched<Search> {
  readonly search: Search;
  /** @param isPassing whether it follows what is being typed, which Back need not bring back */
  readonly onSearch: (search: Search, isPassing?: boolean) => void;
}

/** A search without what says nothing. */
export const withoutEmpty = <Search extends object>(
  search: { readonly [Name in keyof Search]: Search[Name] | "" | undefined },
): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ""),
  ) as Search;

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
