import { InputError } from "../../../core/errors.js";
import type { Mask } from "../../../core/models.js";
import { localizedQuestionsOf } from "../../../metrics/localized-questions-of.js";
import type { ImageSource } from "../../items/sources/image-source.js";
import type { ItemRow } from "../protocol.js";

/**
 * The questions of L-VQAScore about each image whose text is known by entities: each entity's own
 * attributes and those of the others, on what a localised metric of the run found of the entity.
 */
export function localizedRows({ name, images }: ImageSource): readonly ItemRow[] {
  const rows = images.flatMap(({ id, path, entities = [], maskOf, beside }) =>
    localizedQuestionsOf(entities, "paper").map(({ entity, attribute, kind, on }): ItemRow => {
      const mask = maskOf?.(on);
      return {
        row: {
          id: `${id}/${entity}/${attribute}`,
          image: path,
          entity,
          attribute,
          kind,
          box: mask && boxOf(mask),
        },
        beside,
        mask,
      };
    }),
  );
  if (rows.length > 0) return rows;
  throw new InputError(
    `Expected texts with entities and attributes for localized but ${name} has none`,
    { hint: "A run of attribute-confusion has them; or name a table with entity and attribute." },
  );
}

/** The smallest box around what is inside: x, y, width, height in pixels. */
function boxOf({ width, data }: Mask): readonly number[] | undefined {
  let [left, right, top, bottom] = [width, -1, Number.POSITIVE_INFINITY, -1];
  for (const [at, inside] of data.entries()) {
    if (inside === 0) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return right < 0 ? undefined : [left, top, right - left + 1, bottom - top + 1];
}
