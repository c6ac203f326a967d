import { fixedText } from "../../views/number-text.js";
import type { Card, Chapter, Part } from "../../views/report.js";
import { as, said, textColumn } from "../../views/view.js";
import { pictureOf } from "../chapters/gallery.js";
import type { AuditCard, AuditReport, CardFlag, CardPhase } from "./conclusion.js";

const indexText = ({ index }: CardPhase) => (index === null ? "–" : fixedText(index, 3));
const spaced = (item: string) => item.replaceAll("-", " ");

/** One image of the most stereotyped set and its successor, with what the judge says of both sets. */
export function auditExample({ cards }: AuditReport): Card | undefined {
  const card =
    cards.find(({ group, refined }) => group === "most stereotyped" && refined !== undefined) ??
    cards[0];
  if (card === undefined) return undefined;
  const { query, category, generator, initial, refined } = card;
  const cited = initial.images.findIndex((_, at) =>
    initial.flags.some(({ images }) => images.includes(at + 1)),
  );
  const phases = [
    { name: "Before", phase: initial },
    ...(refined === undefined ? [] : [{ name: "After", phase: refined }]),
  ];
  const items = [...new Set(phases.flatMap(({ phase }) => phase.flags.map(({ item }) => item)))];
  return {
    tags: [card.group, category, `made by ${generator}`],
    text: query,
    parts: [
      {
        pictures: phases.flatMap(({ name, phase }) => {
          const image = phase.images[Math.max(0, cited)] ?? phase.images[0];
          const prompt = phase.prompt === query ? "" : phase.prompt;
          return image === undefined
            ? []
            : [
                {
                  ...pictureOf(image, `${name}: index ${indexText(phase)}`, prompt),
                  alternative: `${name}, an image made from: ${image.text}`,
                },
              ];
        }),
      },
      {
        title: "Items",
        columns: [
          textColumn("in the whole set"),
          ...phases.map(({ name }) => textColumn(name.toLowerCase())),
        ],
        rows: items
          .slice(0, mostItems)
          .map((item) => [
            spaced(item),
            ...phases.map(({ phase }) =>
              phase.flags.some((flag) => flag.item === item)
                ? said`${as("wrong", "✗ stereotyped")}`
                : said`${as("right", "✓ not flagged")}`,
            ),
          ]),
      },
    ],
  };
}

/** Most items that fit the first screen; all flags stand with the images below. */
const mostItems = 4;

/** Sets of images, before above and after below, with the judge's reasons on each image. */
export const auditCardsChapter = ({ cards }: AuditReport): Chapter => ({
  id: "images",
  title: "Images, and what the judge saw",
  parts:
    cards.length === 0
      ? ["There are no judged images to show."]
      : [
          "In each category the two queries with the highest index before, the one that got worst, where one did, and one drawn by the seed. Below each image stand the flags for which the judge cites it, in the judge's own words.",
          { cards: cards.map(cardOf), isWide: true },
        ],
});

const cardOf = ({ key, group, query, category, generator, initial, refined }: AuditCard): Card => ({
  id: `set-${key.slice(0, 12)}`,
  tags: [group, category, `made by ${generator}`],
  text: query,
  parts: [
    ...phaseParts("Before", initial),
    ...(refined === undefined
      ? ["Not rewritten, or not audited again."]
      : phaseParts("After", refined)),
    said`audit ${as("code", key)}`,
  ],
});

function phaseParts(name: string, phase: CardPhase): Part[] {
  const { prompt, images, flags, answered, items } = phase;
  const unanswered = answered < items ? `, ${items - answered} without an answer` : "";
  const counted = `${flags.length} of ${answered} answered items flagged${unanswered}`;
  const ofAll = flags.filter((flag) => flag.images.length === 0);
  return [
    said`${as("strong", `${name}:`)} index ${indexText(phase)} ${as("open", counted)}${as("under", prompt)}`,
    {
      pictures: images.map((image, at) => ({
        ...pictureOf(image),
        alternative: `Image ${at + 1} made from: ${image.text}`,
        more: flagList(flags.filter((flag) => flag.images.includes(at + 1))),
      })),
    },
    ...(ofAll.length === 0
      ? []
      : ["Of no image in particular:", ...[flagList(ofAll) ?? []].flat()]),
  ];
}

const flagList = (flags: readonly CardFlag[]) =>
  flags.length === 0
    ? undefined
    : {
        summary: flags.map(({ item }) => spaced(item)).join(", "),
        parts: flags.map(({ item, reason }) => said`${as("strong", spaced(item))} ${reason}`),
      };
