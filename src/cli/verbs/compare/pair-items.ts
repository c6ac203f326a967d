import { InputError } from "../../../core/errors.js";
import { imagePairs } from "../../../images/image-changes.js";
import type { ScoreItem } from "../score/score-item.js";
import { stem } from "./given-prompts.js";
import type { SideItems, TwoSides } from "./side-items.js";

/** What told which two images belong together. */
export type PairedBy = "file name" | "metadata.jsonl" | "prompt";

/** Two images of one prompt. */
export interface ItemPair {
  /** The prompt; without one, the name of the file. */
  readonly prompt: string;
  readonly items: readonly [a: ScoreItem, b: ScoreItem];
}

/** The images of two sides as pairs. */
export interface PairedItems {
  readonly by: PairedBy;
  readonly pairs: readonly ItemPair[];
  /** Images without their like on the other side. */
  readonly left: readonly [a: number, b: number];
  readonly hasTexts: boolean;
  readonly notes: readonly string[];
}

/**
 * Pairs the images of two sides by text and seed where both have texts, else by file name; by whichever pairs more
 * where both could. What has no text takes that of its like.
 *
 * @throws InputError where no image has its like.
 */
export function pairItems(sides: TwoSides, [a, b]: readonly [SideItems, SideItems]): PairedItems {
  const hasBoth = a.textsFrom !== "none" && b.textsFrom !== "none";
  const byText = hasBoth ? textPairs(a, b) : [];
  const byName = namePairs(a, b);
  const isByText = byText.length > 0 && byText.length >= byName.length;
  const found = isByText ? byText : byName;
  if (found.length === 0) throw unpaired(sides, [a, b]);
  const pairs = found.map(([one, other]): ItemPair => {
    const text = one.text || other.text;
    return {
      prompt: text || stem(one.image),
      items: [
        { ...one, text },
        { ...other, text: other.text || text },
      ],
    };
  });
  const differing = pairs.filter(({ items: [one, other] }) => one.text !== other.text).length;
  const isTold = a.textsFrom === "metadata" && b.textsFrom === "metadata";
  return {
    by: isByText ? (isTold ? "metadata.jsonl" : "prompt") : "file name",
    pairs,
    left: [a.items.length - pairs.length, b.items.length - pairs.length],
    hasTexts: pairs.every(({ items }) => items.every(({ text }) => text !== "")),
    notes:
      differing === 0
        ? []
        : [
            `${differing} of the pairs have two different texts: each image is scored against its own`,
          ],
  };
}

type Found = readonly (readonly [ScoreItem, ScoreItem])[];

/** By seed as well where that parts nothing: two models' images of a prompt belong together whatever their seeds. */
function textPairs(a: SideItems, b: SideItems): Found {
  const named = ({ items }: SideItems, isSeeded: boolean) =>
    items.map((item) => ({
      name: item.image,
      text: item.text.trim(),
      seed: isSeeded ? String(item.others.seed ?? "") : undefined,
      // Each side is one model here, whatever its table says.
      model: "",
      item,
    }));
  const paired = (isSeeded: boolean): Found =>
    imagePairs(named(a, isSeeded), named(b, isSeeded)).pairs.map(
      ([{ item: one }, { item: other }]) => [one, other],
    );
  const inOrder = paired(false);
  const bySeed = [a, b].every(hasSeeds) ? paired(true) : [];
  return bySeed.length < inOrder.length ? inOrder : bySeed;
}

/** Whether each image of a text has a seed of its own. */
function hasSeeds({ items }: SideItems): boolean {
  const seeds = items.map(({ text, others: { seed } }) =>
    seed === undefined || seed === null || seed === "" ? "" : JSON.stringify([text.trim(), seed]),
  );
  return !seeds.includes("") && new Set(seeds).size === seeds.length;
}

function namePairs(a: SideItems, b: SideItems): Found {
  const others = new Map(b.items.map((item) => [stem(item.image), item]));
  return a.items.flatMap((item) => {
    const other = others.get(stem(item.image));
    others.delete(stem(item.image));
    return other === undefined ? [] : [[item, other] as const];
  });
}

const unpaired = ([a, b]: TwoSides, [one, other]: readonly [SideItems, SideItems]) => {
  const first = ({ items, textsFrom }: SideItems) =>
    textsFrom === "none" ? items[0]?.image : `${items[0]?.image} ("${items[0]?.text}")`;
  return new InputError(
    `Expected images of ${a.name} and ${b.name} with the same file names or texts but none has its like: ` +
      `${a.source} has ${first(one)}, ${b.source} has ${first(other)}`,
    {
      hint: "A file of prompts says what each image is to show: --prompts prompts.csv (file_name, prompt)",
    },
  );
};
