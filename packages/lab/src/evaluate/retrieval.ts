import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { cosine } from "touchstone-t2i/internal/metrics/cosine.js";
import type { CaptionHabit } from "../world/captions.js";
import { parseSentence } from "../world/english.js";
import { holds } from "../world/truth.js";
import type { HeldOutPicture } from "./held-out.js";
import { type Share, shareOf, sharesBy } from "./share.js";

/** Ranks of the partner among 100. */
export interface RetrievalReport {
  /** Retrieval@1: the very partner scored highest. Equal captions are one caption. */
  readonly right: Share;
  /** The same by the style of the picture that is sought, or sought by; all stand in one gallery. */
  readonly styles: Readonly<Record<string, Share>>;
  /** Share where the highest score is true, be it the partner or not. */
  readonly true: Share;
  /** Mean of `right` if one of the true ones were picked blindly. */
  readonly rightAmongTrue: number | null;
}

export interface HabitRetrieval {
  readonly imageForCaption: RetrievalReport;
  readonly captionForImage: RetrievalReport;
}

/** The vectors of all pictures, and of their captions; undefined where the model gave none. */
export interface Embeddings {
  readonly images: readonly (Float32Array | undefined)[];
  readonly captions: Readonly<Record<CaptionHabit, readonly (Float32Array | undefined)[]>>;
}

/** Seeks each caption's picture and each picture's caption among 100, by habit of caption. */
export function retrieval(
  pictures: readonly HeldOutPicture[],
  embeddings: Embeddings,
): Readonly<Record<CaptionHabit, HabitRetrieval>> {
  const ofHabit = (habit: CaptionHabit): HabitRetrieval => {
    const found = galleriesOf(pictures, habit).map((gallery) =>
      seek(gallery, embeddings.images, embeddings.captions[habit]),
    );
    // Every gallery is full and they follow one another, so places count on.
    const styles = pictures.map(({ style }) => style);
    return {
      imageForCaption: reportOf(
        found.flatMap(({ imageForCaption }) => imageForCaption),
        styles,
      ),
      captionForImage: reportOf(
        found.flatMap(({ captionForImage }) => captionForImage),
        styles,
      ),
    };
  };
  return { skewed: ofHabit("skewed"), balanced: ofHabit("balanced") };
}

interface Sought {
  /** Undefined where the model embedded nothing to seek by. */
  readonly right: boolean | undefined;
  readonly true: boolean | undefined;
  /** How many answers are true, of which the partner is one. */
  readonly trueAnswers: number;
}

function seek(
  { captions, holds, start }: Gallery,
  images: readonly (Float32Array | undefined)[],
  texts: readonly (Float32Array | undefined)[],
) {
  const places = captions.map((_, place) => place);
  const scores = places.map((caption) =>
    places.map((image) => similarity(images[start + image], texts[start + caption])),
  );
  return {
    imageForCaption: places.map((caption) =>
      soughtAmong(places, {
        partner: caption,
        score: (image) => scores[caption]?.[image],
        isSame: (image) => image === caption,
        isTrue: (image) => holds(caption, image),
        trueAnswers: places.filter((image) => holds(caption, image)).length,
      }),
    ),
    captionForImage: places.map((image) =>
      soughtAmong(places, {
        partner: image,
        score: (caption) => scores[caption]?.[image],
        isSame: (caption) => captions[caption] === captions[image],
        isTrue: (caption) => holds(caption, image),
        trueAnswers: new Set(captions.filter((_, caption) => holds(caption, image))).size,
      }),
    ),
  };
}

/** Which of the candidates scores highest; one without a score is never first. */
function soughtAmong(
  candidates: readonly number[],
  {
    partner,
    score,
    isSame,
    isTrue,
    trueAnswers,
  }: {
    readonly partner: number;
    score(candidate: number): number | undefined;
    /** Whether a candidate is as good as the partner itself. */
    isSame(candidate: number): boolean;
    isTrue(candidate: number): boolean;
    readonly trueAnswers: number;
  },
): Sought {
  const own = score(partner);
  if (own === undefined) return { right: undefined, true: undefined, trueAnswers };
  const scoreOf = (candidate: number) => score(candidate) ?? Number.NEGATIVE_INFINITY;
  const best = candidates.reduce((first, candidate) =>
    scoreOf(candidate) > scoreOf(first) ? candidate : first,
  );
  return {
    right: candidates.every((candidate) => isSame(candidate) || own > scoreOf(candidate)),
    true: isTrue(best),
    trueAnswers,
  };
}

function reportOf(sought: readonly Sought[], styles: readonly string[]): RetrievalReport {
  const rights = sought.map(({ right }) => right);
  const chances = sought.map(({ trueAnswers }) => 1 / trueAnswers);
  return {
    right: shareOf(rights),
    styles: sharesBy(rights, styles.slice(0, sought.length)),
    true: shareOf(sought.map((one) => one.true)),
    rightAmongTrue:
      chances.length === 0 ? null : chances.reduce((sum, each) => sum + each, 0) / chances.length,
  };
}

/** The cosine between an image and a text; undefined where one of them has no direction. */
export function similarity(
  image: Float32Array | undefined,
  text: Float32Array | undefined,
): number | undefined {
  if (image === undefined || text === undefined) return undefined;
  try {
    return cosine(image, text);
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** How many pictures and captions one is sought among. */
export const gallerySize = 100;

/** Pictures, their captions in one habit, and which caption is true of which picture. */
interface Gallery {
  readonly captions: readonly string[];
  /** Whether caption `caption` is true of picture `picture`, by their places in the gallery. */
  holds(caption: number, picture: number): boolean;
  /** The place of the gallery's first picture among all. */
  readonly start: number;
}

/** Consecutive galleries of 100; what is left over at the end is sought in none. */
function galleriesOf(pictures: readonly HeldOutPicture[], habit: CaptionHabit): Gallery[] {
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
