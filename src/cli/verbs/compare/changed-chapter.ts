import { type ImageChange, mostChanged } from "../../../images/image-changes.js";
import { thumbnail } from "../../../images/thumbnail.js";
import { fixedText } from "../../../views/number-text.js";
import type { Card, Chapter } from "../../../views/report.js";

/** Pixels of the longer side. */
const side = 320;

/** The most changed pairs side by side, with their scores where they are known; none where nothing changed. */
export async function changedChapter(
  changes: readonly ImageChange[],
  names: readonly [a: string, b: string],
): Promise<Chapter[]> {
  const cards = await Promise.all(mostChanged(changes).map((change) => cardOf(change, names)));
  return cards.length === 0
    ? []
    : [{ id: "most-changed", title: "Most changed pairs", parts: [{ cards }] }];
}

async function cardOf(
  { a, b, ssim, psnr, distance }: ImageChange,
  names: readonly [a: string, b: string],
): Promise<Card> {
  const pictures = await Promise.all(
    [a, b].map(async (image, at) => ({
      image: await thumbnail(await image.open(), { side }),
      alternative: `Image of ${names[at]} for: ${image.text}`,
      caption: `${names[at]}: ${image.name}${image.score === null ? "" : `, score ${fixedText(image.score, 3)}`}`,
    })),
  );
  const tags = [
    ssim === null
      ? "two sizes"
      : `SSIM ${fixedText(ssim, 3)}, PSNR ${psnr === null ? "infinite" : `${fixedText(psnr, 1)} dB`}`,
    ...(distance === null ? [] : [`distance ${fixedText(distance, 3)}`]),
  ];
  return { tags, text: a.text, parts: [{ pictures }] };
}
