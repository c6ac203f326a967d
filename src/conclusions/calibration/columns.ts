import { answer, optionalText, probability, text } from "../../tables/columns.js";
import { parseMap } from "../../tables/map.js";
import type { Tells } from "../../tables/shapes.js";
import { withAnswered } from "../answered.js";
import { inColumns } from "../conclusion.js";
import { drawKinds } from "../draw-columns.js";
import type { GivenTable, Inputs } from "../table-options.js";

/** A row for each answer. */
const kinds = { id: text, prompt: optionalText, label: answer, probability, ...drawKinds };

const read = inColumns(() => ({ kinds, unique: ["id"] }));

/** Reads answers, with labels of --answered put into the rows that they are of. */
export const readAnswers = (
  asked: GivenTable & { readonly answered?: readonly string[] },
  files: Inputs,
) => {
  const { given, inputs } = withAnswered(asked, files, [parseMap(asked.map).label ?? "label"]);
  return read(given, inputs);
};

export const tells: Tells = { columns: { id: text, label: answer, probability } };
