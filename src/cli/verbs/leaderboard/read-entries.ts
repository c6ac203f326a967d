import { sep } from "node:path";
import { z } from "zod";
import type { TrustCard } from "../../../analysis/trust-card/trust-card.js";
import { readCardFile } from "../../../conclusions/card/card-file.js";
import { TouchstoneError } from "../../../core/errors.js";
import { filesBelow } from "../../../files/files-below.js";
import { readTextFile } from "../../../files/regular-file.js";
import { slugOf } from "../../../report/formats/format.js";

const number = z.number().nullable();
const estimate = z.looseObject({ value: number, low: number, high: number });

/** What `compare --json` prints, as far as ranks need it. */
const comparison = z.looseObject({
  metric: z.string(),
  direction: z.enum(["higher", "lower"]),
  models: z.record(
    z.string(),
    z.looseObject({ n: z.number(), unscored: z.number(), mean: estimate }),
  ),
  pairs: z.array(
    z.looseObject({ a: z.string(), b: z.string(), difference: estimate, pAdjusted: number }),
  ),
  intervals: z.looseObject({ text: z.string() }).optional(),
  verdict: z.string(),
});

export type Comparison = z.infer<typeof comparison>;

/** A file that a leaderboard is made of; `page` is unique among them. */
export interface Entry {
  readonly name: string;
  readonly page: string;
  readonly text: string;
  readonly cards?: readonly TrustCard[];
  readonly comparison?: Comparison;
}

/**
 * Reads the cards and comparisons below a folder, and names the JSON files that are neither.
 *
 * @param site the folder of the site, whose own files are passed over
 */
export async function readEntries(
  folder: string,
  site: string,
): Promise<{ readonly entries: readonly Entry[]; readonly others: readonly string[] }> {
  const entries: Entry[] = [];
  const others: string[] = [];
  for (const { name, path } of await filesBelow(folder, [".json"])) {
    if (path.startsWith(`${site}${sep}`)) continue;
    const text = await readTextFile(path);
    const found = entryOf(text, name);
    if (found === undefined) {
      others.push(name);
      continue;
    }
    const slug = slugOf(name.replace(/\.json$/i, ""));
    const alike = entries.filter(({ page }) => page === slug || page.startsWith(`${slug}~`));
    // The site's own page is index.html.
    const taken = alike.length + (slug === "index" ? 1 : 0);
    entries.push({ name, text, page: taken === 0 ? slug : `${slug}~${taken + 1}`, ...found });
  }
  return { entries, others };
}

function entryOf(text: string, name: string): Pick<Entry, "cards" | "comparison"> | undefined {
  try {
    return { cards: readCardFile(text, name).cards };
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
  }
  try {
    const { data } = comparison.safeParse(JSON.parse(text));
    return data && { comparison: data };
  } catch {
    return undefined;
  }
}
