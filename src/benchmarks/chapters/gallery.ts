import { withoutRevision } from "../../core/models.js";
import { countText, fixedText, pluralText } from "../../views/number-text.js";
import type { Card, Chapter, Picture } from "../../views/report.js";
import { as, type Marked, named, numberColumn, said, textColumn } from "../../views/view.js";
import type { CardImage, Gallery, GalleryColumn, GalleryEntry } from "../disagreement-gallery.js";

/** The images on which metrics disagree most. */
export const galleryChapter = ({ columns, entries, images }: Gallery): Chapter => ({
  id: "disagreement",
  title: "Where metrics disagree most",
  parts:
    entries.length === 0
      ? [
          "There is nothing to compare: the metrics rank the images alike, or there is only one of them.",
        ]
      : [
          `Scores of different metrics have no common scale, so each metric ranks all ${countText(images)} images against the texts they were scored for, from 0 (worst) to 100 (best). Shown are the ${pluralText(entries.length, "image")} whose highest and lowest rank lie farthest apart, one of a prompt.`,
          { cards: entries.map((entry) => cardOf(entry, columns)) },
        ],
});

function cardOf(
  { image, generator, text, scores, ranks, highest, lowest, spread }: GalleryEntry,
  columns: readonly GalleryColumn[],
): Card {
  return {
    id: `disagreement-${image.key.slice(0, 12)}`,
    tags: [`ranks ${fixedText(spread * 100, 0)} apart`, `made by ${withoutRevision(generator)}`],
    text,
    parts: [
      {
        pictures: [pictureOf(image, ...(image.text === text ? [] : ["Made from", image.text]))],
        beside: [
          {
            title: "Scores and ranks",
            columns: [textColumn("metric"), numberColumn("score"), numberColumn("rank")],
            rows: columns.map(({ name, model }, at) => [
              named(name, model),
              scoreText(scores[at]),
              `${rankText(ranks[at])}${at === highest ? " ▲" : at === lowest ? " ▼" : ""}`,
            ]),
          },
        ],
      },
      said`image ${as("code", image.key)}`,
    ],
  };
}

const scoreText = (score: number | null | undefined) =>
  score === null || score === undefined ? "–" : endText(score);

/** Neither 0 nor 1 where it is only nearly so. */
function endText(score: number): string {
  if (score > 0 && score < 0.0005) return "<0.001";
  return score >= 0.9995 && score < 1 ? ">0.999" : fixedText(score, 3);
}

const rankText = (rank: number | null | undefined) =>
  rank === null || rank === undefined ? "–" : fixedText(rank * 100, 0);

/** An image of a run below which a title stands, and what it shows. */
export const pictureOf = (image: CardImage, title = "", text = ""): Picture => ({
  image,
  alternative: `Image made from: ${image.text}`,
  ...(title !== "" && { caption: said`${as("strong", title)}${text}` }),
});

/** How two images were ranked. Who ranks rightly has a tick: never told by colour alone. */
export function outcomeMark(outcome: "right" | "wrong" | "tie" | "unscored"): Marked {
  if (outcome === "right") return as("right", "✓ right");
  if (outcome === "unscored") return as("open", "– unscored");
  return as("wrong", outcome === "tie" ? "✗ tie" : "✗ wrong");
}
