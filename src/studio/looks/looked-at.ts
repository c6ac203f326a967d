import type { Key } from "../../core/keys.js";
import type { Picture } from "../../core/models.js";
import type { StudioImages } from "../images.js";
import { noRecord } from "../item-detail.js";
import { indexLookups } from "../record-lookups.js";
import { Refusal } from "../refusal.js";
import type { RunView } from "../run-view.js";
import { scoreLooks } from "./score-looks.js";
import { seenImage } from "./seen-image.js";

/**
 * The image that a localised metric showed its model of one entity of a score.
 *
 * @param options.at the place of the entity among those of the score
 * @throws Refusal where there is no such score or entity, or the whole image was shown.
 */
export async function lookedAt(
  { index }: RunView,
  { key, at, images }: { readonly key: string; readonly at: string; readonly images: StudioImages },
): Promise<Picture> {
  const place = index.placeOf(key as Key);
  const [record] = place === undefined ? [] : await index.read([place]);
  if (record?.type !== "score") throw noRecord();
  const looks = scoreLooks(record, await indexLookups(index).traceOf(key));
  const look = /^\d{1,3}$/.test(at) ? looks?.entities[Number(at)] : undefined;
  const { blobs } = index.run;
  const seen =
    looks == null || look === undefined
      ? undefined
      : await seenImage(await images.picture(blobs, record.image), look, looks);
  if (seen !== undefined) return seen;
  throw new Refusal(404, "no-look", "No image of this entity alone was shown for this score", {
    hint: "Its mask may be missing in the run's trace.",
  });
}
