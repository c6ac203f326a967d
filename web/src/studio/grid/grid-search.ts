import { type GallerySearch, gallerySearch } from "../gallery/gallery-search.js";
import { searchText } from "../search-text.js";

export const onlyChoices = ["differences", "people", "unscored"] as const;

/** Which prompts of a run's grid: those of a gallery's filters, and all or only some kinds of rows. */
export interface GridSearch extends GallerySearch {
  readonly only?: (typeof onlyChoices)[number];
}

/** Takes from an address what a grid understands, and nothing else. */
export function gridSearch(given: Readonly<Record<string, unknown>>): GridSearch {
  const only = onlyChoices.find((one) => one === searchText(given.only));
  return { ...gallerySearch(given), ...(only === undefined ? {} : { only }) };
}
