import { readFile } from "node:fs/promises";
import { z } from "zod";

const training = z.object({
  settings: z.object({ seed: z.int() }).optional(),
  // Earlier programs wrote one set of scenes here, and no styles.
  data: z
    .array(z.object({ styles: z.array(z.string()), people: z.number().optional() }))
    .optional()
    .catch(undefined),
});

/** A model's training as the training.json in its folder describes it; nothing where there is none. */
export interface Training {
  readonly seed?: number;
  /** Those of the styles asked about that it had no pictures of, where it says which it had. */
  readonly unseenStyles: readonly string[];
  /**
   * Those that it had pictures of, but none with people or clothes; a style of whose folders one does
   * not say its share of people is not among them.
   */
  readonly unseenWithPeople: readonly string[];
}

export async function trainingOf(directory: URL, styles: readonly string[]): Promise<Training> {
  const text = await readFile(new URL("training.json", directory), "utf8").catch(() => "{}");
  const report = training.safeParse(JSON.parse(text));
  const { settings, data } = report.data ?? {};
  const peopleIn = (style: string) =>
    data?.flatMap(({ styles, people = null }) => (styles.includes(style) ? [people] : []));
  return {
    ...(settings === undefined ? {} : { seed: settings.seed }),
    unseenStyles: styles.filter((style) => peopleIn(style)?.length === 0),
    unseenWithPeople: styles.filter((style) => {
      const shares = peopleIn(style) ?? [];
      return shares.length > 0 && shares.every((people) => people === 0);
    }),
  };
}
