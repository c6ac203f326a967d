import { localizedName } from "../../benchmarks/attribute-confusion/localized-metrics.js";
import type { Hash } from "../../core/keys.js";
import type { TraceEntry } from "../../runs/record-life.js";
import type { StudioImages } from "../images.js";
import { scoreLooks } from "../looks/score-looks.js";
import { seenImage } from "../looks/seen-image.js";
import type { RunIndex } from "../run-index.js";
import type { ExportedFile } from "./exported-page.js";

/**
 * Yields files of what localised metrics showed of each entity; scores shown the same share one.
 *
 * @param options.masks the notes of masks, by score
 * @param options.paths told of each score which file shows each of its entities; "" for none
 */
export async function* exportedLooks(
  index: RunIndex,
  {
    images,
    masks,
    paths,
  }: {
    readonly images: StudioImages;
    readonly masks: ReadonlyMap<string, readonly TraceEntry[]>;
    readonly paths: Record<string, readonly string[]>;
  },
): AsyncGenerator<ExportedFile> {
  const { run, rows, tables } = index;
  const localized = tables.filter((table) => table.id.startsWith(`${localizedName}~`));
  if (localized.length === 0 || masks.size === 0) return;
  for (const [at, row] of rows.entries()) {
    if (row.image === null) continue;
    const places = localized.flatMap((table) => table.placeOf(at) ?? []);
    const picture = await images.picture(run.blobs, row.image as Hash).catch(() => undefined);
    if (picture === undefined) continue;
    const known = new Map<string, string>();
    for (const record of await index.read(places)) {
      const looks = scoreLooks(record, masks.get(record.key) ?? []);
      if (looks === null) continue;
      const own: string[] = [];
      for (const look of looks.entities) {
        const same = JSON.stringify([looks.strategy, look.shape]);
        const seen = known.has(same) ? undefined : await seenImage(picture, look, looks);
        const path = known.get(same) ?? (seen === undefined ? "" : `images/seen/${seen.hash}.png`);
        known.set(same, path);
        own.push(path);
        if (seen !== undefined) yield { path, content: seen.bytes };
      }
      paths[record.key] = own;
    }
  }
}
