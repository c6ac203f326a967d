/** Cards that are shown beside each other: `run:` or `file:` and an id. */
export interface CardSearch {
  readonly from?: readonly string[];
}

/** Takes from an address what the page of cards understands. */
export function cardSearch({ from }: Readonly<Record<string, unknown>>): CardSearch {
  const names = [from].flat().filter((one) => typeof one === "string");
  return names.length === 0 ? {} : { from: names };
}
