import { z } from "zod";
import { questionsOf } from "../../analysis/confusion/confusion-images.js";
import {
  conventionOf,
  localizedName,
} from "../../benchmarks/attribute-confusion/localized-metrics.js";
import type { Key } from "../../core/keys.js";
import type { Picture } from "../../core/models.js";
import type { RecordPosition } from "../../core/record-store.js";
import type { AnyRecord, RecordOf } from "../../core/records.js";
import {
  type LocalizationStrategy,
  localizationStrategies,
  localize,
} from "../../images/localize.js";
import { maskOfRuns } from "../../images/mask-runs.js";
import { pictureOfPixels } from "../../images/pixels-picture.js";
import { type RecordLookups, type TraceEntry, traceEntry } from "../../runs/record-life.js";
import type { StudioImages } from "../images.js";
import { noRecord } from "../item-detail.js";
import { Refusal } from "../refusal.js";
import type { RunIndex } from "../run-index.js";
import type { RunView } from "../run-view.js";
import type { EntityLook, ScoreLooks } from "./look-api.js";

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

const noted = z.object({
  kind: z.literal("mask"),
  entity: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  runs: z.array(z.int().nonnegative()),
});

/**
 * Reads from a score's record and its trace what a localised metric showed its model; null for other
 * records.
 */
export function scoreLooks(record: AnyRecord, trace: readonly TraceEntry[]): ScoreLooks | null {
  if (record.type !== "score" || record.metric !== localizedName) return null;
  if (record.status !== "done") return null;
  const threshold = z.number().catch(0.5).parse(record.details?.threshold);
  const masks = new Map(
    trace.flatMap((entry) => {
      const { data } = noted.safeParse(entry);
      return data === undefined ? [] : [[data.entity, data] as const];
    }),
  );
  const questions = questionsOf(record);
  const entities = [...new Set(questions.map(({ on, entity }) => on ?? entity))];
  return {
    strategy: conventionOf(record).strategy,
    entities: entities.map((entity): EntityLook => {
      const here = questions.filter((one) => (one.on ?? one.entity) === entity);
      const said = here[0]?.mask;
      const { width, height, runs } = masks.get(entity) ?? {};
      const shape =
        said !== "found" || width === undefined || height === undefined || runs === undefined
          ? null
          : { width, height, runs };
      return {
        entity,
        mask:
          said === "none" || said === "not asked" ? said : shape === null ? "not kept" : "found",
        shape,
        questions: here.map(({ kind, attribute, question, entity: about, probability }) => ({
          kind,
          attribute,
          question: question ?? `${attribute} ${about}`,
          probability,
          saysYes: probability >= threshold,
        })),
      };
    }),
  };
}

/**
 * Makes what a localised metric showed its model of an entity, as the metric does: a PNG of the same
 * pixels; undefined where it showed the whole image.
 */
export async function seenImage(
  picture: Picture,
  { shape }: Pick<EntityLook, "shape">,
  { strategy }: Pick<ScoreLooks, "strategy">,
): Promise<Picture | undefined> {
  const mask = shape === null ? undefined : maskOfRuns(shape.runs, shape);
  const known: LocalizationStrategy | undefined = localizationStrategies.find(
    (one) => one === strategy,
  );
  if (mask === undefined || known === undefined || !mask.data.includes(1)) return undefined;
  if (mask.width !== picture.width || mask.height !== picture.height) return undefined;
  return pictureOfPixels(localize(await picture.pixels(), { mask, strategy: known }), picture);
}

/** Finds records of a run by its index: only those that are asked for are read. */
export function indexLookups(index: RunIndex): RecordLookups {
  return {
    async *withKey(key) {
      const place = index.placeOf(key as Key);
      if (place !== undefined) yield* await index.read([place]);
    },
    async first(type, key) {
      const place = index.placeOf(key as Key);
      const [record] = place === undefined ? [] : await index.read([place]);
      return record !== undefined && isOf(record, type) ? record : undefined;
    },
    async madeFrom({ type, key }) {
      const places =
        type === "image"
          ? scoresOf(index, key)
          : index.rows.filter((row) => row.prompt === key).map(({ place }) => place);
      const records = await index.read(places);
      return records.filter((record) => record.type === "image" || record.type === "score");
    },
    async traceOf(key) {
      const found: ReturnType<typeof traceEntry.parse>[] = [];
      for await (const value of index.run.trace()) {
        // A trace is long: only its own entries are checked.
        if (typeof value !== "object" || value === null || !("key" in value)) continue;
        const { data } = value.key === key ? traceEntry.safeParse(value) : {};
        if (data !== undefined) found.push(data);
      }
      return found;
    },
  };
}

/** Where the scores of an image stand, metric by metric. */
function scoresOf(index: RunIndex, image: string): readonly RecordPosition[] {
  const at = index.rowOf(image);
  return at === undefined ? [] : index.tables.flatMap((table) => table.placeOf(at) ?? []);
}

function isOf<Type extends AnyRecord["type"]>(
  record: AnyRecord,
  type: Type,
): record is AnyRecord & RecordOf<Type> {
  return record.type === type;
}
