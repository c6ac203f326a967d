import { dirname, join } from "node:path";
import type { Hash } from "../../../core/keys.js";
import {
  type Localizer,
  type Mask,
  modelFacts,
  type Picture,
  placedName,
} from "../../../core/models.js";
import type { Step } from "../../../core/step.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { makeFolder } from "../../../files/make-folder.js";
import { cocoOfMask } from "../../../images/coco-mask.js";
import { type LocalizationStrategy, localize } from "../../../images/localize.js";
import { encodePng } from "../../../images/pixels-picture.js";

/** An entity of an image that is in the run, and the file for what a metric sees of it. */
export interface SoughtEntity {
  readonly image: Hash;
  readonly entity: string;
  readonly seen: string;
}

/** Finds entities in images that the run took, and writes what a metric sees of each. */
export function findEntities(
  sought: readonly SoughtEntity[],
  {
    localizer,
    strategy,
    directory,
  }: {
    readonly localizer: Localizer;
    readonly strategy: LocalizationStrategy;
    /** Where these files go. */
    readonly directory: string;
  },
): Step<"mask"> {
  const facts = modelFacts(localizer.identity);
  const nameOf = ({ image, entity }: Pick<SoughtEntity, "image" | "entity">) =>
    `${image} ${entity}`;
  // Two files may hold the same image.
  const files = new Map<string, string[]>();
  for (const one of sought) {
    files.set(nameOf(one), [...(files.get(nameOf(one)) ?? []), one.seen]);
  }
  return {
    name: "find-entities",
    version: 1,
    produces: "mask",
    parameters: { ...facts },
    asks: [placedName(localizer.identity)],
    async *plan(records) {
      const taken = new Set<Hash>();
      for await (const image of records.ofType("image")) {
        if (image.status === "done") taken.add(image.image);
      }
      for (const { image, entity } of sought) {
        if (taken.has(image)) yield { image, entity, ...facts };
      }
    },
    async perform({ image, entity }, { openPicture, signal, trace }) {
      const picture = await openPicture(image);
      const mask = await localizer.localize(picture, entity, { signal, trace });
      const inside = mask?.data.reduce((sum, one) => sum + one, 0) ?? 0;
      if (mask === undefined || inside === 0) return { mask: null, inside: 0 };
      const paths = (files.get(nameOf({ image, entity })) ?? []).map((one) => join(directory, one));
      await writeSeen(paths, { picture, mask, strategy });
      return { mask: cocoOfMask(mask), inside: inside / mask.data.length };
    },
  };
}

/** Writes what a metric sees of an image into files. */
export async function writeSeen(
  paths: readonly string[],
  {
    picture,
    mask,
    strategy,
  }: {
    readonly picture: Picture;
    readonly mask: Mask;
    readonly strategy: LocalizationStrategy;
  },
): Promise<void> {
  const shown = encodePng(localize(await picture.pixels(), { mask, strategy }));
  for (const path of paths) {
    await makeFolder(dirname(path));
    await writeFileAtomically(path, shown);
  }
}
