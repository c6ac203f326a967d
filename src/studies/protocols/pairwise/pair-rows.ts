import { InputError } from "../../../core/errors.js";
import type { ImageSource, SourceImage } from "../../items/sources/image-source.js";
import type { ItemRow } from "../protocol.js";

/**
 * The pairs of a run or folder: images that were made as a pair; in an audit, each model's images of a
 * query against those of its rewrite; else, what two models made of one text.
 */
export function pairRows({ name, images }: ImageSource): readonly ItemRow[] {
  const rows = images.some(({ pair }) => pair !== undefined)
    ? madePairs(images)
    : images.some(({ phase }) => phase === "refined")
      ? setsByPhase(images)
      : pairsOfModels(images);
  if (rows.length > 0) return rows;
  throw new InputError(
    `Expected images of one text by two models for pairwise but ${name} has none`,
    {
      hint: 'In a folder\'s metadata.jsonl the column "model" says who made an image.',
    },
  );
}

const madePairs = (images: readonly SourceImage[]): ItemRow[] =>
  [...groups(images, ({ pair }) => pair?.id)].flatMap(([id, own]) => {
    const [a, b] = ["a", "b"].map((side) => own.find(({ pair }) => pair?.side === side));
    if (a?.pair === undefined || b?.pair === undefined) return [];
    const { side: _, of: __, model: ___, ...beside } = a.beside;
    return [
      {
        row: { id, caption: a.text, image_a: a.path, image_b: b.path },
        beside: { ...beside, model_a: a.pair.name, model_b: b.pair.name },
      },
    ];
  });

const setsByPhase = (images: readonly SourceImage[]): ItemRow[] =>
  [...groups(images, ({ prompt, model }) => JSON.stringify([prompt, model]))].flatMap(([, own]) => {
    const [initial, refined] = ["initial", "refined"].map((phase) =>
      own.filter((image) => image.phase === phase),
    );
    const [first] = initial ?? [];
    if (first === undefined || !refined?.length) return [];
    const { phase: _, of: __, model, ...beside } = first.beside;
    return [
      {
        row: {
          id: `${first.prompt}/${first.model}`,
          caption: first.text,
          images_a: initial?.map(({ path }) => path),
          images_b: refined.map(({ path }) => path),
        },
        beside: { ...beside, generator: model ?? null, model_a: "initial", model_b: "refined" },
      },
    ];
  });

const pairsOfModels = (images: readonly SourceImage[]): ItemRow[] =>
  [...groups(images, ({ prompt, sample }) => JSON.stringify([prompt, sample]))].flatMap(([, own]) =>
    own.flatMap((a, at) =>
      own.slice(at + 1).flatMap((b): ItemRow[] => {
        if (a.model === b.model) return [];
        const { of: _, model: __, ...beside } = a.beside;
        return [
          {
            row: { id: `${a.id}/${b.id}`, caption: a.text, image_a: a.path, image_b: b.path },
            beside: { ...beside, model_a: a.model, model_b: b.model },
          },
        ];
      }),
    ),
  );

function groups(
  images: readonly SourceImage[],
  nameOf: (image: SourceImage) => string | undefined,
): ReadonlyMap<string, readonly SourceImage[]> {
  const found = new Map<string, SourceImage[]>();
  for (const image of images) {
    const name = nameOf(image);
    if (name === undefined) continue;
    const group = found.get(name);
    if (group === undefined) found.set(name, [image]);
    else group.push(image);
  }
  return found;
}
