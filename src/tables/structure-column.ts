import { z } from "zod";
import type { DescribedEntity } from "../core/models.js";
import { jsonOrNone } from "../core/read-json.js";
import type { Cell, ColumnKind } from "./columns.js";

const name = z.string().refine((text) => text.trim() !== "");
const schema = z.array(z.object({ entity: name, attributes: z.array(name) })).min(1);

const expected =
  'a list of entities with their attributes, such as [{"entity": "skirt", "attributes": ["red"]}],';

/**
 * A text's entities and attributes, as JSON: `[{ entity, attributes: [] }]`, or as text that holds it; nothing
 * where the cell is empty.
 */
export const structure: ColumnKind<readonly DescribedEntity[] | undefined> = {
  isRequired: false,
  read(cell): Cell<readonly DescribedEntity[] | undefined> {
    if (cell === undefined || cell === null) return { value: undefined };
    if (typeof cell === "string" && cell.trim() === "") return { value: undefined };
    const checked = schema.safeParse(typeof cell === "string" ? jsonOrNone(cell) : cell);
    return checked.success ? { value: checked.data } : { expected };
  },
};
