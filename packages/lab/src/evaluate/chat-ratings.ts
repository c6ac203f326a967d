import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import { type ChatModel, type Picture, turn } from "touchstone-t2i/internal/core/models.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { rating } from "touchstone-t2i/internal/models/chat/rating-answer.js";
import { parseSentence } from "../world/english.js";
import { holds } from "../world/truth.js";
import type { HeldOutPicture } from "./held-out.js";
import { answerOrNone, type Share, shareOf, sharesBy } from "./share.js";
import { type Clock, type MedianTime, Stopwatch } from "./stopwatch.js";

/** Whether a judge tells right sentences from wrong ones, and how much its wording moves it. */
export interface RatingReport {
  readonly kind: "rater";
  /** How often a picture's own caption is rated above one that is false of it; ties are no. */
  readonly prefersTrue: Share;
  /** The same by the style of the picture. */
  readonly styles: Readonly<Record<string, Share>>;
  /** Mean expected ratings, from 1 to 4; null where none was given. */
  readonly mean: { readonly right: number | null; readonly wrong: number | null };
  /** How often the likeliest rating of a caption is another when it is asked for in other words. */
  readonly movedByWording: Share;
  readonly milliseconds: { readonly image: MedianTime; readonly text: MedianTime };
}

/** Two ways to ask for one thing. */
const wordings = [
  "Say on a scale of 1 to 4 how much of the text the picture shows.",
  "You are hard to please. One wrong detail is enough for a low rating from 1 to 4.",
] as const;

export async function evaluateRating(
  model: ChatModel,
  {
    pictures,
    clock,
    onPicture,
    signal,
  }: {
    readonly pictures: readonly HeldOutPicture[];
    readonly clock: Clock;
    readonly onPicture?: (done: number) => void;
    readonly signal?: AbortSignal;
  },
): Promise<RatingReport> {
  const imageTime = new Stopwatch(clock);
  const textTime = new Stopwatch(clock);
  const rate = (image: Picture, text: string, wording: string = wordings[0]) =>
    answerOrNone(
      rating({
        model,
        scale: 4,
        way: "tokens",
        request: {
          messages: [turn("user", image, `${wording}\nText: "${text}"`)],
        },
      }),
    );
  const rated: {
    right: number | undefined;
    wrong: number | undefined;
    moved: boolean | undefined;
  }[] = [];
  for (const [index, { bytes, scene, captions }] of pictures.entries()) {
    signal?.throwIfAborted();
    const picture = await openPicture(bytes);
    await picture.pixels();
    const right = await imageTime.time(() => rate(picture, captions.balanced));
    const other = await rate(picture, captions.balanced, wordings[1]);
    const wrong = pictures
      .map((_, step) => pictures[(index + step) % pictures.length]?.captions.balanced ?? "")
      .find((caption) => caption !== "" && !holds(parseSentence(caption), scene));
    rated.push({
      right: right?.value,
      wrong:
        wrong === undefined ? undefined : (await textTime.time(() => rate(picture, wrong)))?.value,
      moved: right && other && likeliest(right.probabilities) !== likeliest(other.probabilities),
    });
    onPicture?.(index + 1);
  }
  const prefersTrue = rated.map(({ right, wrong }) =>
    right === undefined || wrong === undefined ? undefined : right > wrong,
  );
  return {
    kind: "rater",
    prefersTrue: shareOf(prefersTrue),
    styles: sharesBy(
      prefersTrue,
      pictures.map(({ style }) => style),
    ),
    mean: {
      right: meanOf(rated.map(({ right }) => right)),
      wrong: meanOf(rated.map(({ wrong }) => wrong)),
    },
    movedByWording: shareOf(rated.map(({ moved }) => moved)),
    milliseconds: { image: imageTime.median(), text: textTime.median() },
  };
}

const likeliest = (probabilities: readonly number[] = []): number =>
  probabilities.indexOf(largestOf(probabilities));

function meanOf(values: readonly (number | undefined)[]): number | null {
  const given = values.filter((value) => value !== undefined);
  if (given.length === 0) return null;
  return given.reduce((sum, value) => sum + value, 0) / given.length;
}
