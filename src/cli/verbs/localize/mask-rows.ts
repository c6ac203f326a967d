import { readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { isPlainObject, type Json } from "../../../core/json.js";
import { jsonOrNone } from "../../../core/read-json.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { absent } from "../../../files/file-error.js";
import { exists } from "../../../files/paths.js";
import { entityId } from "./find-entities.js";

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
  /** Why there is no answer, as earlier versions wrote it. */
  readonly problem?: string | undefined;
}

const tableName = "masks.jsonl";
/** Holds what a metric is not given. */
export const earlierName = "earlier.jsonl";

/**
 * Rows of a folder by `model`, those by hand, those of others and lines that are no rows, all three as they are
 * written, and the files in its folder `seen`.
 */
export async function keptRows(folder: string, model: string) {
  const rows = new Map<string, MaskRow>();
  const byHand = new Set<string>();
  const others = new Set<string>();
  const unread = new Set<string>();
  const seen = new Set<string>();
  for (const name of [earlierName, tableName]) {
    const path = join(folder, name);
    const content = (await readFile(path, "utf8").catch(absent(path))) ?? "";
    for (const line of content.split("\n")) {
      if (line.trim() === "") continue;
      // Written by this verb; what matters of it is checked.
      const value = jsonOrNone(line);
      const row = keptRow.safeParse(value).data as MaskRow | undefined;
      if (typeof row?.seen === "string") seen.add(basename(row.seen).toLowerCase());
      if (!isPlainObject(value)) unread.add(line);
      else if ((value.model ?? "") === "") {
        const isGone = name === earlierName && !(await exists(join(folder, `${value.image}`)));
        (isGone ? others : byHand).add(line);
      } else if (row?.model !== model) others.add(line);
      else if (row.problem === undefined) rows.set(entityId(row), row);
    }
  }
  return { rows, byHand, others, unread, seen };
}

export async function writeRows(
  folder: string,
  lines: readonly string[],
  others: readonly string[],
): Promise<void> {
  const earlier = join(folder, earlierName);
  if (others.length > 0) await writeFileAtomically(earlier, `${others.join("\n")}\n`);
  const text = lines.map((line) => `${line}\n`).join("");
  await writeFileAtomically(join(folder, tableName), text);
  if (others.length === 0) await rm(earlier, { force: true });
}
