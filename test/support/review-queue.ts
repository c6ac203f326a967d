import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";

const line = z.object({ id: z.string(), preferred: z.string().nullable() });

/** Writes a queue of pairs as `judge` does, with pictures of one colour each. @returns its path */
export async function reviewQueue(
  directory: string,
  { items, side = 64 }: { readonly items: number; readonly side?: number },
): Promise<string> {
  await mkdir(join(directory, "images"), { recursive: true });
  const colours = ["#335577", "#775533", "#557733", "#773355"];
  for (const [at, background] of colours.entries()) {
    const image = sharp({ create: { width: side, height: side, channels: 3, background } });
    await image.png().toFile(join(directory, "images", `${at}.png`));
  }
  const lines = Array.from({ length: items }, (_, at) =>
    JSON.stringify({
      id: `pair-${at}`,
      caption: `Caption number ${at}`,
      image_a: `images/${at % 4}.png`,
      image_b: `images/${(at + 1) % 4}.png`,
      preferred: null,
      why: "not sure enough",
      probability: 0.5,
      asked: 3,
      unscored: 0,
    }),
  );
  const path = join(directory, "review.jsonl");
  await writeFile(path, `${lines.join("\n")}\n`);
  return path;
}

/** What people said in a queue of pairs, by id, in the order of the file. */
export async function queueAnswers(path: string): Promise<readonly z.output<typeof line>[]> {
  const text = await readFile(path, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((each) => line.parse(JSON.parse(each)));
}
