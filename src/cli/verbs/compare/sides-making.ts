import { type MakingOfImages, makingOfImages } from "../../../analysis/comparison/image-making.js";
import { imageMaking } from "../../../core/records.js";
import type { TwoSides } from "./compared-sides.js";
import { stem } from "./given-prompts.js";
import type { SideItems } from "./side-items.js";

/** How the images of two sides were made, as their records or metadata say. */
export function makingOfItems(
  [a, b]: TwoSides,
  [one, other]: readonly [SideItems, SideItems],
): MakingOfImages[] {
  const all = [...one.items, ...other.items];
  const texts = new Map(
    all.flatMap(({ image, text }) => (text === "" ? [] : [[stem(image), text] as const])),
  );
  const made = ({ name }: { readonly name: string }, { items }: SideItems) =>
    items.map(({ image, text, others }) => ({
      by: name,
      // What has no text is paired with its like by its file's name.
      prompt: text || texts.get(stem(image)) || image,
      making: imageMaking.safeParse(others.making).data ?? {},
      isRewritten: typeof others.revised_prompt === "string",
    }));
  return makingOfImages([...made(a, one), ...made(b, other)]);
}
