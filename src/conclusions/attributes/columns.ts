import type { AttributeRow } from "../../analysis/confusion/attributed-images.js";
import { questionKinds } from "../../analysis/confusion/localized-questions.js";
import { oneOf, optionalText, probability, text } from "../../tables/columns.js";
import { rowsOf } from "../../tables/rows-of.js";
import type { Table, Tells } from "../../tables/shapes.js";
import { inColumns } from "../conclusion.js";

/** A row for each answer to a question about an attribute of an entity. */
const kinds = {
  image: text,
  entity: text,
  attribute: text,
  kind: oneOf(questionKinds),
  probability,
  prompt: optionalText,
  annotator: optionalText,
};

export const readAnswers = inColumns(() => ({ kinds }));

/** Until `attributes` takes columns: the same, a row for each answer. */
export const answerRows = (table: Table<typeof kinds>): AttributeRow[] => [...rowsOf(table, kinds)];

export const tells: Tells = {
  columns: { image: text, entity: text, attribute: text, kind: text, probability },
};
