import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { Hono } from "hono";
import { z } from "zod";
import type { Hash } from "../../core/keys.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { makeFolder } from "../../files/make-folder.js";
import { csvLine } from "../../tables/cell-table.js";
import { columnName } from "../column-name.js";
import { checkedRequest, Refusal } from "../refusal.js";
import type { RunView } from "../run-view.js";
import type { StudioRuns } from "../runs.js";
import type { WrittenTable } from "./note-api.js";
import { noteSchema } from "./run-notes.js";

const tableSchema = z.strictObject({
  /** The name of its file, without what it ends in. */
  name: z.string().regex(/^[\w-]{1,60}$/, "letters, digits, - and _"),
  of: z.array(z.string().max(64)).min(1).max(20_000),
});

/** Routes for what people note about a run, below `/api/runs/:run`. */
export function noteRoutes(runs: StudioRuns, now: () => Date): Hono {
  const app = new Hono();
  app.get("/:run/notes", async ({ req, json }) =>
    json((await runs.upToDate(req.param("run"))).notes),
  );
  app.post("/:run/notes", async ({ req, json }) => {
    const note = checkedRequest(noteSchema, await req.json().catch(() => undefined));
    const { file, place } = await runs.notesOf(req.param("run"));
    return json(await runs.inTurn(place, () => file.add(note, now())));
  });
  app.post("/:run/tables", async ({ req, json }) => {
    const { name, of } = checkedRequest(tableSchema, await req.json().catch(() => undefined));
    const { place, path } = await runs.notesOf(req.param("run"));
    const folder = join(place, "notes");
    const { lines, left } = await tableOf(await runs.upToDate(req.param("run")), { of, folder });
    if (left === of.length) throw new Refusal(409, "no-image", "None of these has an image");
    await makeFolder(folder);
    const file = await runs.inTurn(place, async () => {
      const free = await freeName(folder, name);
      await writeFileAtomically(join(folder, free), lines.join(""));
      return free;
    });
    return json({ path: join(path, "notes", file), left } satisfies WrittenTable);
  });
  return app;
}

/** The first of NAME.csv, NAME-2.csv, … that is not there: a command may name the others. */
async function freeName(folder: string, name: string): Promise<string> {
  const there = new Set(await readdir(folder));
  for (let at = 1; ; at++) {
    const file = `${name}${at === 1 ? "" : `-${at}`}.csv`;
    if (!there.has(file)) return file;
  }
}

/**
 * Images of a run as a table that `score`, `study create` and `analyze` read: a head, then a line each, in this order.
 * Counts those left out, which have no image.
 */
async function tableOf(
  { index }: RunView,
  { of, folder }: { readonly of: readonly string[]; readonly folder: string },
): Promise<{ readonly lines: readonly string[]; readonly left: number }> {
  const columns = index.tables.map((table) => table.describe(index.rows.length));
  const names = columns.map((column) => columnName(column, columns));
  const lines = [csvLine(["id", "image", "text", "model", "role", "sample", ...names])];
  for (const key of of) {
    const at = index.rowOf(key);
    const row = at === undefined ? undefined : index.rows[at];
    if (at === undefined || row === undefined) {
      throw new Refusal(404, "no-image", `The run has no image ${key}`);
    }
    if (row.image === null) continue;
    const address = await index.run.blobs.addressOf(row.image as Hash);
    if (address === undefined) continue;
    const image = address.includes("://") ? address : relative(folder, address);
    const text = index.originOf(row)?.text ?? row.text;
    lines.push(
      csvLine([
        ...[key, image, text, row.generator, row.role, row.sample],
        ...index.tables.map((table) => table.get(at)?.value ?? null),
      ]),
    );
  }
  return { lines, left: of.length + 1 - lines.length };
}
