import { readFile } from "node:fs/promises";
import { z } from "zod";

const training = z.object({
  data: z.array(z.object({ styles: z.array(z.string()) })),
});

/**
 * Those of `styles` that a model was trained without, as the training.json in its folder has it;
 * none where it does not say.
 */
export async function unseenBy(directory: URL, styles: readonly string[]): Promise<string[]> {
  const text = await readFile(new URL("training.json", directory), "utf8").catch(() => "{}");
  const report = training.safeParse(JSON.parse(text));
  if (!report.success) return [];
  const seen = report.data.data.flatMap((folder) => folder.styles);
  return styles.filter((style) => !seen.includes(style));
}
