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
import { type SideReading, sideItems } from "./side-items.js";

/** How the images of two sides were made, as their records or metadata say. */
export async function sidesMaking(
  sides: TwoSides,
  reading: Omit<SideReading, "prompts">,
): Promise<MakingOfImages[]> {
  const found: MadeImage[] = [];
  for (const side of sides) for (const image of await imagesOf(side, reading)) found.push(image);
  return makingOfImages(found);
}

async function imagesOf(
  { name, source }: ComparedSide,
  reading: Omit<SideReading, "prompts">,
): Promise<MadeImage[]> {
  if (await isRun(source, reading.environment)) {
    const images = await imagesOfRecords(await openStore(runPlace(source, reading.environment)));
    return images.map((image) => ({ ...image, by: name }));
  }
  const { items } = await sideItems(source, { ...reading, prompts: undefined });
  return items.map(({ text, others }) => ({
    by: name,
    prompt: text,
    making: imageMaking.safeParse(others.making).data ?? {},
    isRewritten: typeof others.revised_prompt === "string",
  }));
}
