import { searchText, withoutEmpty } from "../search-text.js";

/** Search in a gallery's address: which images, in which order. All as the server's query has it. */
export interface GallerySearch {
  readonly text?: string;
  readonly domain?: string;
  readonly role?: string;
  readonly generator?: string;
  readonly metric?: string;
  readonly min?: string;
  readonly max?: string;
  readonly failed?: "yes" | "no";
  readonly reason?: string;
  /** At least how far apart ranks lie: between metrics, and between metrics and people. */
  readonly spread?: string;
  readonly gap?: string;
  /** Conditions on scores, such as `vqa < 0.5 and clip > 0.3`. */
  readonly where?: string;
  readonly tag?: string;
  readonly sort?: "score" | "margin" | "disagreement" | "people";
  readonly order?: "up" | "down";
}

const texts = [
  ...["text", "domain", "role", "generator", "metric"],
  ...["min", "max", "reason", "spread", "gap", "where", "tag"],
] as const;

/** Takes from an address what a gallery understands, and nothing else. */
export function gallerySearch(given: Readonly<Record<string, unknown>>): GallerySearch {
  const text = (name: string) => searchText(given[name]);
  const one = <Choice extends string>(name: string, choices: readonly Choice[]) =>
    choices.find((choice) => choice === text(name));
  return withoutEmpty({
    ...Object.fromEntries(texts.map((name) => [name, text(name)])),
    failed: one("failed", ["yes", "no"]),
    sort: one("sort", ["score", "margin", "disagreement", "people"]),
    order: one("order", ["up", "down"]),
  });
}
