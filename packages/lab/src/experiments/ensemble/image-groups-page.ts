import type { Thumbnail } from "touchstone-t2i/internal/images/thumbnail.js";
import { countText, fixedText, pluralText } from "touchstone-t2i/internal/views/number-text.js";
import type { Card, Part } from "touchstone-t2i/internal/views/report.js";
import {
  as,
  named,
  numberColumn,
  said,
  textColumn,
  type Words,
} from "touchstone-t2i/internal/views/view.js";
import type { ImageGroup, ImageGroups } from "./image-groups.js";

/** The first picture of a pair, small, and what both pictures should show. */
export interface ShownPair extends Thumbnail {
  readonly caption: string;
}

/** The pair with an id; undefined where there is none. */
export type ShownPairs = (id: string) => Promise<ShownPair | undefined>;

/** A prompt in words. */
export interface ShownPrompt {
  readonly id: string;
  readonly system: string;
  readonly task: string;
  readonly question: string;
}

interface Shown {
  readonly shown: ShownPairs;
  /** In the order of the table's probabilities. */
  readonly prompts: readonly ShownPrompt[];
}

/**
 * Each group of images with the pictures nearest to its centroid and its heaviest prompts, as figure 4
 * of the paper; below, the prompts in full.
 */
export async function imageGroupParts(
  { groups, objective, lambda, labels, prompts: count }: ImageGroups,
  shown: Shown,
): Promise<Part[]> {
  const cards = await Promise.all(groups.map((group, at) => cardOf(group, at + 1, shown)));
  const heard = new Set(groups.flatMap(({ heaviest }) => heaviest.map(({ prompt }) => prompt)));
  return [
    `One fit of MMB, as figure 4 of the paper shows it: ${objective}, lambda ${lambda}, K = ${groups.length}, on ${pluralText(labels, "label")}. For each group the first pictures of the pairs nearest to its centroid, and the prompts with most weight in it; were all ${count} heard alike, each would have ${fixedText(1 / count, 3)}.`,
    { cards },
    {
      summary: "The prompts in words",
      parts: [
        {
          facts: [...heard]
            .sort((a, b) => a - b)
            .map((prompt) => {
              const {
                id = "",
                system = "",
                task = "",
                question = "",
              } = shown.prompts[prompt] ?? {};
              return [id, named(system, task, question)] as const;
            }),
        },
      ],
    },
  ];
}

async function cardOf(
  { pairs, support, nearest, heaviest }: ImageGroup,
  number: number,
  { shown, prompts }: Shown,
): Promise<Card> {
  const pictures = await Promise.all(nearest.map(shown));
  return {
    tags: [
      `Group ${number}`,
      `${countText(pairs)} of the clustered pairs`,
      `labels ${fixedText(support, 1)}`,
    ],
    parts: [
      {
        pictures: pictures.flatMap((image) =>
          image === undefined ? [] : [{ image, alternative: `For: ${image.caption}` }],
        ),
      },
      {
        title: "Heaviest prompts",
        columns: [textColumn("heaviest prompts"), numberColumn("weight", { decimals: 3 })],
        rows: heaviest.map(({ prompt, weight }) => [wordsOf(prompts[prompt]), weight]),
      },
    ],
  };
}

/** Who judges and by what: the first of what the system is told, and the last of the task. */
function wordsOf(prompt: ShownPrompt | undefined): Words {
  if (prompt === undefined) return "–";
  const sentences = (text: string) => text.split(/(?<=[.?!])\s/);
  const [who] = sentences(prompt.system);
  return said`“${who ?? ""} … ${sentences(prompt.task).at(-1) ?? ""}”${as("under", prompt.id)}`;
}
