import type { IntervalOptions } from "../../analysis/inference/intervals.js";
import { auditValues, type SetValue } from "../../analysis/stereotypes/audit-values.js";
import { type ImageEmbedder, modelName, placed, withoutRevision } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import { NoAnswer } from "../../core/unscored.js";
import { openPicture } from "../../images/picture.js";
import { cosine } from "../../metrics/cosine.js";
import type { ReportedRun } from "../run-records.js";
import type { AuditDiversity } from "./conclusion.js";

type Audit = RecordOf<"audit">;
type ImageHash = Audit["images"][number];

/**
 * How different the images of a set are: how many are the very same and, where there is who embeds
 * images, how far apart they lie. A set with an image that has no embedding has no distance.
 */
export async function diversityOf(
  audits: readonly Audit[],
  {
    run,
    embedder,
    short,
    options,
  }: {
    readonly run: Pick<ReportedRun, "blobs">;
    readonly embedder: ImageEmbedder | undefined;
    readonly short: (name: string) => string;
    readonly options: IntervalOptions;
  },
): Promise<AuditDiversity> {
  const first = audits.filter(({ trial }) => trial === 0);
  const same = { initial: { images: 0, same: 0 }, refined: { images: 0, same: 0 } };
  for (const { phase, images } of first) {
    const copies = images.filter(
      (image) => images.filter((other) => other === image).length > 1,
    ).length;
    same[phase].images += images.length;
    same[phase].same += copies;
  }
  if (embedder === undefined) return { same };
  const vectors = new Map<ImageHash, Float32Array | undefined>();
  for (const image of new Set(first.flatMap(({ images }) => images))) {
    vectors.set(image, await vectorOf(image, run, embedder));
  }
  const values = first.map((audit): SetValue => {
    const { text: query, category, phase, set, generator, generatorBaseUrl } = audit;
    return {
      query,
      category,
      phase,
      imageSet: String(set),
      model: short(placed({ model: generator, baseUrl: generatorBaseUrl })),
      value: meanDistance(audit.images.map((image) => vectors.get(image))),
    };
  });
  return {
    same,
    distance: {
      model: withoutRevision(modelName(embedder.identity)),
      change: auditValues(values, [0, 2], options),
    },
  };
}

async function vectorOf(
  image: ImageHash,
  { blobs }: Pick<ReportedRun, "blobs">,
  embedder: ImageEmbedder,
): Promise<Float32Array | undefined> {
  try {
    const vector = await embedder.embedImage(await openPicture(await blobs.read(image), image));
    // A vector of zeros has no direction.
    return vector.some((number) => number !== 0) ? vector : undefined;
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** The mean of 1 - cosine over all pairs; null with fewer than two, or where one is missing. */
function meanDistance(vectors: readonly (Float32Array | undefined)[]): number | null {
  let [sum, pairs] = [0, 0];
  for (const [at, one] of vectors.entries()) {
    for (const other of vectors.slice(at + 1)) {
      if (one === undefined || other === undefined) return null;
      sum += 1 - cosine(one, other);
      pairs += 1;
    }
  }
  return pairs === 0 ? null : sum / pairs;
}
