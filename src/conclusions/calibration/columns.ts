import type { CalibrationRow } from "../../analysis/calibration/calibration.js";
import { answer, optionalText, probability, text } from "../../tables/columns.js";
import { rowsOf } from "../../tables/rows-of.js";
import type { Table, Tells } from "../../tables/shapes.js";
import { inColumns } from "../conclusion.js";

/** A row for each answer. */
const kinds = { id: text, prompt: optionalText, label: answer, probability };

export const readAnswers = inColumns(() => ({ kinds, unique: ["id"] }));

/** Until `calibration` takes columns: the same, a row for each answer. */
export const answerRows = (table: Table<typeof kinds>): CalibrationRow[] => [
  ...rowsOf(table, kinds),
];

export const tells: Tells = { columns: { id: text, label: answer, probability } };
