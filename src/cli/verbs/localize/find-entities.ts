import { dirname, join, relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Hash } from "../../../core/keys.js";
import {
  type Localizer,
  type Mask,
  modelFacts,
  type Picture,
  placedName,
} from "../../../core/models.js";
import type { Step } from "../../../core/step.js";
import { NoAnswer } from "../../../core/unscored.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import type { TextPlace } from "../../../files/folder-texts/folder-texts.js";
import { imageTables, refuseTexts } from "../../../files/image-folder.js";
import { makeFolder } from "../../../files/make-folder.js";
import { readTable } from "../../../files/read-table.js";
import { cocoOfMask } from "../../../images/coco-mask.js";
import { type LocalizationStrategy, localize } from "../../../images/localize.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { ruleDecomposer } from "../../../models/decomposer/rule-decomposer.js";
import { optionalText, text } from "../../../tables/columns.js";
import { structure } from "../../../tables/structure-column.js";

/** An entity to find in an image. */
export interface WantedEntity {
  /** As masks.jsonl names it. */
  readonly image: string;
  /** As its table names it. */
  readonly name: string;
  readonly path: string;
  readonly entity: string;
}

/** Identifies an entity of an image. */
export const entityId = ({ image, entity }: Pick<WantedEntity, "image" | "entity">): string =>
  JSON.stringify([image, entity]);

async function entitiesIn(sentence: string | undefined, place: string) {
  try {
    if (sentence !== undefined) return await ruleDecomposer().decompose(sentence);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new InputError(`${error.message} (in ${place})`, { hint });
  }
  throw new InputError(`Expected an entity to find but found none (in ${place})`, { hint });
}

const hint =
  'Name them by --entity, or in a column entities: [{"entity": "skirt", "attributes": []}]';

/**
 * The images and entities of a folder or a table, each once; images are named from `out`, where the table will be.
 *
 * @returns them, and why a row that `skipsBad` passed over names none
 * @throws InputError where a row names none
 * @param options.entities what to find in every image; where none is given, what its row has as `entities`, or what
 *   its `text` says, by rules
 */
export async function entitiesWanted(
  source: string,
  {
    entities,
    texts,
    out,
    skipsBad,
    tell,
  }: {
    readonly entities: readonly string[];
    /** Where the folder's texts are. */
    readonly texts: TextPlace | undefined;
    readonly out: string;
    readonly skipsBad: boolean;
    /** Called with a sentence that says how texts were found, where no table has them. */
    readonly tell: (note: string) => void;
  },
): Promise<{ readonly wanted: readonly WantedEntity[]; readonly skipped: readonly string[] }> {
  const found = new Map<string, WantedEntity>();
  const skipped: string[] = [];
  const columns = { image: text, text: optionalText, entities: structure };
  for (const { name, table, directory, note } of await tablesOf(source, texts)) {
    if (note !== undefined) tell(note);
    const isNamed = note !== undefined || /metadata\.(jsonl|csv)$/.test(name);
    const map: Readonly<Record<string, string>> = isNamed ? { image: "file_name" } : {};
    for await (const { line, row } of readTable({ source: table, columns, map, tell })) {
      const path = resolve(directory, row.image);
      const named =
        entities.length > 0
          ? entities.map((entity) => ({ entity }))
          : (row.entities ??
            (await entitiesIn(row.text, `${name}, line ${line}`).catch((error: unknown) => {
              if (!skipsBad || !(error instanceof InputError)) throw error;
              skipped.push(`${row.image}, no entity: ${error.message}`);
              return [];
            })));
      for (const { entity } of named) {
        const wanted = { image: relative(out, path), name: row.image, path, entity };
        found.set(entityId(wanted), wanted);
      }
    }
  }
  return { wanted: [...found.values()], skipped };
}

/** The table itself, or those of a folder of images, each with the folder that its images lie in. */
async function tablesOf(source: string, texts: TextPlace | undefined) {
  if (!/\.(jsonl|csv|parquet)$/i.test(source)) {
    const found = await imageTables(source, { place: texts });
    return found.map(({ metadata, table, split, note }) => ({
      name: metadata,
      table: table(),
      directory: join(source, split),
      note,
    }));
  }
  refuseTexts(texts, source);
  const table = { name: source, path: source };
  return [{ name: source, table, directory: dirname(source), note: undefined }];
}

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
