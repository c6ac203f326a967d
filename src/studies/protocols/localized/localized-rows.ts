import { InputError } from "../../../core/errors.js";
import { localizedQuestionsOf } from "../../../metrics/localized-questions-of.js";
import type { ImageSource } from "../../items/sources/image-source.js";
import type { ItemRow } from "../protocol.js";

/**
 * The questions of L-VQAScore about each image whose text is known by entities: each entity's own
 * attributes and those of the others.
 */
export function localizedRows({ name, images }: ImageSource): readonly ItemRow[] {
  const rows = images.flatMap(({ id, path, entities = [], findEntity, beside }) =>
    localizedQuestionsOf(entities, "paper").map(({ entity, attribute, kind, on }): ItemRow => {
      const found = findEntity?.(on);
      return {
        row: { id: `${id}/${entity}/${attribute}`, image: path, entity, attribute, kind },
        beside: found === undefined ? beside : { ...beside, localizers: [...found.localizers] },
        find: found?.mask,
      };
    }),
  );
  if (rows.length > 0) return rows;
  throw new InputError(
    `Expected texts with entities and attributes for localized but ${name} has none`,
    { hint: "A run of attribute-confusion has them; or name a table with entity and attribute." },
  );
}
