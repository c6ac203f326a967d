import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Json } from "../../../core/json.js";
import { systemCode } from "../../../files/file-error.js";

const keptRow = z.looseObject({
  image: z.string(),
  entity: z.string(),
  model: z.string(),
  mask: z.unknown(),
  problem: z.string().optional(),
});

export interface MaskRow {
  readonly image: string;
  readonly entity: string;
  readonly model: string;
  /** COCO's run lengths; null where the entity is nowhere; not there where there is no answer. */
  readonly mask?: Json;
  /** The share of the image inside it. */
  readonly inside?: number;
  /** The file that shows what a metric sees. */
  readonly seen?: string;
}

/** Reads the table of an earlier time; a last line that was cut off counts for nothing. */
export async function keptRows(table: string): Promise<MaskRow[]> {
  const content = await readFile(table, "utf8").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  });
  return content.split("\n").flatMap((line) => {
    try {
      const { data } = keptRow.safeParse(JSON.parse(line));
      // Written by this verb; what matters of it was checked.
      return data === undefined || data.problem !== undefined ? [] : [data as MaskRow];
    } catch {
      return [];
    }
  });
}
