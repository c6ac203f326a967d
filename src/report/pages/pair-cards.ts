import { outcomeMark } from "../../benchmarks/chapters/gallery.js";
import type { Thumbnail } from "../../images/thumbnail.js";
import { countText, fixedText } from "../../views/number-text.js";
import type { Card, Picture } from "../../views/report.js";
import {
  as,
  type ImagePair,
  numberColumn,
  said,
  textColumn,
  type Words,
} from "../../views/view.js";

const scores = (title: string) => numberColumn(title, { decimals: 3 });

const imageOf = (image: Thumbnail, name: string, text: string, caption = name): Picture => ({
  image,
  alternative: `Image ${name}, made for: ${text}`,
  caption: said`${as("strong", caption)}`,
});

/** A pair that a conclusion's table names, as an example on a page. */
export function imagePair(
  { why, text, sides, metric, isAsPeople }: ImagePair,
  images: readonly [first: Thumbnail, second: Thumbnail],
): Card {
  const [first, second] = sides;
  const isRated = first.human !== null || second.human !== null;
  return {
    tags: [why],
    text,
    parts: [
      {
        pictures: [
          imageOf(images[0], `of ${first.name}`, text, first.name),
          imageOf(images[1], `of ${second.name}`, text, second.name),
        ],
      },
      {
        title: "Scores",
        columns: [textColumn("by"), ...sides.map(({ name }) => scores(name)), textColumn("order")],
        rows: [
          [metric, ...sides.map(({ score }) => score), orderMark(isAsPeople)],
          ...(isRated ? [["people", ...sides.map(({ human }) => ratingText(human)), ""]] : []),
        ],
      },
    ],
  };
}

function ratingText(rating: number | null): string {
  if (rating === null) return "–";
  return Number.isInteger(rating) ? countText(rating) : fixedText(rating, 2);
}

function orderMark(isAsPeople: boolean | null): Words {
  if (isAsPeople === null) return "–";
  return isAsPeople ? said`${as("right", "✓ as people")}` : said`${as("wrong", "✗ not as people")}`;
}

/** Two images for one text, which of them is better, and what each judge says. */
export interface JudgedPair {
  /** Why this pair is shown. */
  readonly why: string;
  readonly text: string;
  readonly images: readonly [first: Thumbnail, second: Thumbnail];
  readonly isFirstBetter: boolean;
  readonly judges: readonly {
    readonly name: string;
    /** P(the first is better), in [0, 1]; null for no answer. */
    readonly probability: number | null;
  }[];
}

/** A pair of images with a tick or a cross for each judge of it. */
export const judgedPair = ({ why, text, images, isFirstBetter, judges }: JudgedPair): Card => ({
  tags: [why],
  text,
  parts: [
    {
      pictures: [
        imageOf(images[0], "A", text, `A: ${isFirstBetter ? "better" : "worse"}`),
        imageOf(images[1], "B", text, `B: ${isFirstBetter ? "worse" : "better"}`),
      ],
    },
    {
      title: "Judges",
      columns: [textColumn("judge"), scores("P(A is better)"), textColumn("verdict")],
      rows: judges.map(({ name, probability }) => [
        ...[name, probability, said`${outcomeMark(outcomeOf(probability, isFirstBetter))}`],
      ]),
    },
  ],
});

function outcomeOf(probability: number | null, isFirstBetter: boolean) {
  if (probability === null) return "unscored";
  if (probability === 0.5) return "tie";
  return probability > 0.5 === isFirstBetter ? "right" : "wrong";
}
