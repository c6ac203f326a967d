import {
  type MadeImage,
  type MakingOfImages,
  makingOfImages,
} from "../../../analysis/comparison/image-making.js";
import { imageMaking } from "../../../core/records.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { imagesOfRecords } from "../../conclusions/making-below.js";
import { isRun } from "../score/score-run.js";
import type { ComparedSide, TwoSides } from "./compared-sides.js";
import { stem } from "./given-prompts.js";
import { type SideItems, type SideReading, sideItems } from "./side-items.js";

/** How the images of two sides were made, as their records or metadata say. */
export async function sidesMaking(
  [a, b]: TwoSides,
  reading: SideReading,
): Promise<MakingOfImages[]> {
  const [one, other] = [await sideOf(a, reading), await sideOf(b, reading)];
  return makingOfSides([one, other]);
}

/** How images that were read already were made. */
export const makingOfItems = ([a, b]: TwoSides, [one, other]: readonly [SideItems, SideItems]) =>
  makingOfSides([
    { name: a.name, items: one.items },
    { name: b.name, items: other.items },
  ]);

/** A side's images: as records of a run say how they were made, or as they were read from a folder or table. */
type Side =
  | { readonly name: string; readonly made: readonly Omit<MadeImage, "by">[] }
  | { readonly name: string; readonly items: SideItems["items"] };

async function sideOf({ name, source }: ComparedSide, reading: SideReading): Promise<Side> {
  if (await isRun(source, reading.environment)) {
    const store = await openStore(runPlace(source, reading.environment));
    return { name, made: await imagesOfRecords(store) };
  }
  return { name, items: (await sideItems(source, reading)).items };
}

function makingOfSides(sides: readonly Side[]): MakingOfImages[] {
  const items = sides.flatMap((side) => ("items" in side ? side.items : []));
  const texts = new Map(
    items.flatMap(({ image, text }) => (text === "" ? [] : [[stem(image), text] as const])),
  );
  return makingOfImages(
    sides.flatMap((side): MadeImage[] =>
      "made" in side
        ? side.made.map((image) => ({ ...image, by: side.name }))
        : side.items.map(({ image, text, others }) => ({
            by: side.name,
            // What has no text is paired with its like by its file's name.
            prompt: text || texts.get(stem(image)) || image,
            making: imageMaking.safeParse(others.making).data ?? {},
            isRewritten: typeof others.revised_prompt === "string",
          })),
    ),
  );
}
