import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { Box, Detector, Localizer, Mask, Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { imagesBelow } from "../../files/image-folder.js";
import { readTable } from "../../files/read-table.js";
import { mostImageBytes, readRegularFile } from "../../files/regular-file.js";
import { boxOfMask } from "../../images/box.js";
import { boxesOfCoco, type CocoMask, cocoMaskSchema, maskOfCoco } from "../../images/coco-mask.js";
import { readMask } from "../../images/mask-file.js";
import { openPictureFile } from "../../images/picture-file.js";
import { type ColumnKind, text } from "../../tables/columns.js";

/** Where a mask is: COCO's JSON, the path of an image file, or null where the entity is nowhere. */
type GivenMask = CocoMask | string | null;

interface GivenMasks {
  /** The name of the image in messages. */
  readonly name: string;
  readonly byEntity: Map<string, GivenMask>;
}

const given = z.union([z.null(), z.string().min(1), cocoMaskSchema]);

const tableNames = ["masks.jsonl", "masks.csv"] as const;

/** A localiser of masks that were made elsewhere. */
export interface GivenLocalizer extends Localizer, Detector {
  /** The models that found them, where the table's column `model` names any, as `metrics localize` writes it. */
  readonly foundBy: readonly string[];
}

/**
 * Masks that were made elsewhere, as a localiser that asks nobody; as a detector it gives their boxes. An
 * image is known by its bytes, so that masks fit it wherever it is kept, a run included.
 *
 * - A table (JSONL, CSV, Parquet): `image` and `entity` with `mask`, or `image` with `masks`, an object of
 *   masks by entity. A mask is the path of an image file, or COCO's JSON: run lengths, compressed or not,
 *   or `{ "bbox": [x, y, width, height] }`; null says that the entity is nowhere. Paths begin at the table.
 * - A folder with such a table, masks.jsonl or masks.csv.
 * - A folder of mask files named IMAGE-ENTITY.png or IMAGE_ENTITY.png, beside or within that of the
 *   images, which `images` names.
 *
 * @throws InputError where there are none, the table is not sound or an image of it can't be read;
 *   NoAnswer, when asked, for an image or entity without a mask, and for one of another size.
 * @example await givenMasks("masks.jsonl")
 */
export async function givenMasks(
  path: string,
  { images }: { images?: string } = {},
): Promise<GivenLocalizer> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const table = isFolder ? await tableIn(path) : path;
  const { index, revision, directory, foundBy } =
    table === undefined ? await fromFiles(path, images ?? dirname(path)) : await fromTable(table);
  const maskFor = (image: Picture, entity: string) => {
    const known = index.get(image.hash);
    const names = [...(known?.byEntity.keys() ?? [])];
    const found = names.find((name) => sameName(name, entity));
    if (known === undefined || found === undefined) {
      throw new NoAnswer(
        "not-applicable",
        known === undefined
          ? `No masks are given for this image (${path})`
          : `No mask of "${entity}" is given for ${known.name}; there are ${names.join(", ")}`,
      );
    }
    return { given: known.byEntity.get(found) ?? null, name: known.name };
  };
  return {
    identity: { provider: "masks", model: basename(resolve(path)), revision },
    foundBy,
    async localize(image, entity) {
      const { given, name } = maskFor(image, entity);
      const mask = await opened(given, { image, name, directory });
      return mask?.data.includes(1) === true ? mask : undefined;
    },
    async detect(image, entity) {
      const { given, name } = maskFor(image, entity);
      if (given !== null && typeof given !== "string") {
        return sound(boxesOfCoco(given, image), name);
      }
      const mask = await opened(given, { image, name, directory });
      const box = mask && boxOfMask(mask);
      return box === undefined ? [] : [box];
    },
  };
}

/** @throws NoAnswer for what is wrong with COCO's JSON. */
function sound<Made extends Mask | readonly Box[]>(made: Made | string, name: string): Made {
  if (typeof made !== "string") return made;
  throw new NoAnswer("bad-input", `Expected for ${name} ${made}`);
}

async function opened(
  mask: GivenMask,
  {
    image,
    name,
    directory,
  }: { readonly image: Picture; readonly name: string; readonly directory: string },
): Promise<Mask | undefined> {
  if (mask === null) return undefined;
  if (typeof mask !== "string") return sound(maskOfCoco(mask, image), name);
  const file = await openPictureFile(resolve(directory, mask), mask);
  if (file.width !== image.width || file.height !== image.height) {
    throw new NoAnswer(
      "bad-input",
      `Expected a mask of the size of ${name}, ${image.width} x ${image.height} pixels, but ` +
        `received ${mask}, ${file.width} x ${file.height}`,
    );
  }
  const { mask: read } = await readMask(file, mask).catch((error: unknown) => {
    throw error instanceof InputError ? new NoAnswer("bad-input", error.message) : error;
  });
  return read;
}

const sameName = (one: string, other: string): boolean => plain(one) === plain(other);
const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ");

async function tableIn(folder: string): Promise<string | undefined> {
  for (const name of tableNames) {
    if ((await stat(join(folder, name)).catch(() => undefined)) !== undefined) {
      return join(folder, name);
    }
  }
  return undefined;
}

interface Index {
  readonly index: ReadonlyMap<string, GivenMasks>;
  readonly revision: string;
  /** Where paths of masks begin. */
  readonly directory: string;
  readonly foundBy: readonly string[];
}

const oneMask = jsonCell(given, "a path, or run lengths or a bbox of COCO, or null,");
const masksByEntity = jsonCell(
  z.record(z.string().min(1), given),
  'an object of masks by entity, such as {"skirt": "skirt.png"},',
);

/** JSON, or text that holds it; other text is a path. */
function jsonCell<Value>(
  schema: z.ZodType<Value>,
  expected: string,
): ColumnKind<Value | undefined> {
  return {
    isRequired: false,
    read(cell) {
      if (cell === undefined || cell === "") return { value: undefined };
      const value = typeof cell === "string" && /^\s*[[{n]/.test(cell) ? jsonOf(cell) : cell;
      const checked = schema.safeParse(value);
      return checked.success ? { value: checked.data } : { expected };
    },
  };
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const name: ColumnKind<string | undefined> = {
  isRequired: false,
  read: (cell, about) =>
    cell === undefined || cell === null || cell === ""
      ? { value: undefined }
      : text.read(cell, about),
};

async function fromTable(table: string): Promise<Index> {
  const directory = dirname(table);
  const index = new Map<string, GivenMasks>();
  const hashes = new Map<string, string>();
  const content = createHash("sha256");
  const columns = { image: text, entity: name, mask: oneMask, masks: masksByEntity, model: name };
  const foundBy = new Set<string>();
  for await (const { line, row } of readTable({ source: { name: table, path: table }, columns })) {
    const { image, entity, mask, masks, model } = row;
    if (model !== undefined) foundBy.add(model);
    if (
      (entity === undefined) !== (mask === undefined) ||
      (masks === undefined && mask === undefined)
    ) {
      throw new InputError(
        `Expected entity and mask, or masks, but received ${
          [entity && "entity", mask !== undefined && "mask"].filter(Boolean).join(" and ") ||
          "neither"
        } (in ${table}, line ${line})`,
      );
    }
    const hash =
      hashes.get(image) ?? (await hashOf(resolve(directory, image), `${table}, line ${line}`));
    hashes.set(image, hash);
    const known = index.get(hash) ?? { name: image, byEntity: new Map() };
    index.set(hash, known);
    const all = {
      ...masks,
      ...(entity === undefined || mask === undefined ? {} : { [entity]: mask }),
    };
    for (const [each, own] of Object.entries(all)) known.byEntity.set(each, own);
    content.update(JSON.stringify([hash, all]));
  }
  const revision = content.digest("hex").slice(0, 12);
  return { index, revision, directory, foundBy: [...foundBy] };
}

/** Mask files named after their image; the longest image's name that fits is meant. */
async function fromFiles(folder: string, images: string): Promise<Index> {
  const masks = await imagesBelow(folder).catch(() => [] as string[]);
  const maskPaths = new Set(masks.map((mask) => resolve(folder, mask)));
  const named = (await imagesBelow(images).catch(() => [] as string[]))
    .map((image) => ({ image, stem: basename(image, extname(image)) }))
    .filter(({ image }) => !maskPaths.has(resolve(images, image)))
    .sort((a, b) => b.stem.length - a.stem.length);
  const index = new Map<string, GivenMasks>();
  const hashes = new Map<string, string>();
  const content = createHash("sha256");
  for (const mask of masks) {
    const stem = basename(mask, extname(mask));
    const own = named.find(
      (one) => stem.startsWith(`${one.stem}-`) || stem.startsWith(`${one.stem}_`),
    );
    if (own === undefined) continue;
    const hash = hashes.get(own.image) ?? (await hashOf(resolve(images, own.image), own.image));
    hashes.set(own.image, hash);
    const known = index.get(hash) ?? { name: own.image, byEntity: new Map() };
    index.set(hash, known);
    known.byEntity.set(stem.slice(own.stem.length + 1), mask);
    content.update(JSON.stringify([hash, mask, await hashOf(resolve(folder, mask), mask)]));
  }
  if (index.size > 0)
    return {
      index,
      revision: content.digest("hex").slice(0, 12),
      directory: folder,
      foundBy: [],
    };
  throw new InputError(
    `Expected masks.jsonl, masks.csv or masks named IMAGE-ENTITY.png in ${folder} but found none`,
    {
      hint:
        `Images are looked for in ${images}. A table has a line for each mask: ` +
        '{"image": "../images/1.png", "entity": "skirt", "mask": "1-skirt.png"}',
    },
  );
}

async function hashOf(path: string, place: string): Promise<string> {
  const bytes = await readRegularFile(path, { mostBytes: mostImageBytes }).catch(
    (cause: unknown) => {
      throw new InputError(`Expected an image at ${path} but it can't be read (in ${place})`, {
        cause,
      });
    },
  );
  return createHash("sha256").update(bytes).digest("hex");
}
