import type { CaptionHabit } from "../world/captions.js";
import { parseSentence } from "../world/english.js";
import { holds } from "../world/truth.js";
import type { HeldOutPicture } from "./held-out.js";

/** How many pictures and captions one is sought among. */
export const gallerySize = 100;

/** Pictures, their captions in one habit, and which caption is true of which picture. */
export interface Gallery {
  readonly captions: readonly string[];
  /** Whether caption `caption` is true of picture `picture`, by their places in the gallery. */
  holds(caption: number, picture: number): boolean;
  /** The place of the gallery's first picture among all. */
  readonly start: number;
}

/** Consecutive galleries of 100; what is left over at the end is sought in none. */
export function galleriesOf(pictures: readonly HeldOutPicture[], habit: CaptionHabit): Gallery[] {
  return Array.from({ length: Math.floor(pictures.length / gallerySize) }, (_, index) => {
    const start = index * gallerySize;
    const members = pictures.slice(start, start + gallerySize);
    const captions = members.map((member) => member.captions[habit]);
    const table = captions.map((caption) => {
      const description = parseSentence(caption);
      return members.map(({ scene }) => holds(description, scene));
    });
    return { captions, holds: (caption, picture) => table[caption]?.[picture] === true, start };
  });
}
