import type { Picture, Pixels } from "touchstone-t2i/internal/core/models.js";
import { sightQuestions } from "touchstone-t2i/internal/models/sight/check-sight.js";
import { colourLevels } from "touchstone-t2i/internal/models/sight/colour-images.js";

/** Stripes of an image that a question of the sight check asks about; `undefined` for any other question. */
export function stripesAsked(question: string): number | undefined {
  if (question.includes(sightQuestions.stripes)) return 4;
  if (question.includes(sightQuestions.pair)) return 2;
  return question.includes(sightQuestions.plain) ? 1 : undefined;
}

/** Names the colours of images of vertical stripes, from left to right. */
export async function coloursOf(images: readonly Picture[], count: number): Promise<string> {
  const names = images.map(async (image) => stripesOf(await image.pixels(), count));
  return (await Promise.all(names)).flat().join(", ");
}

/** The colour in the middle of each stripe. */
const stripesOf = (pixels: Pixels, count: number): string[] =>
  Array.from({ length: count }, (_, at) => nearestColour(pixels, (at + 0.5) / count));

function nearestColour({ width, height, data }: Pixels, across: number): string {
  const at = 3 * (Math.floor(height / 2) * width + Math.floor(across * width));
  const distance = (levels: readonly number[]) =>
    levels.reduce((sum, level, channel) => sum + (level - (data[at + channel] ?? 0)) ** 2, 0);
  const [[name] = [""]] = Object.entries(colourLevels).sort(
    ([, one], [, other]) => distance(one) - distance(other),
  );
  return name;
}
