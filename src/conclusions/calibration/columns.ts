import { answer, optionalText, probability, text } from "../../tables/columns.js";
import type { Tells } from "../../tables/shapes.js";
import { inColumns } from "../conclusion.js";

/** A row for each answer. */
const kinds = { id: text, prompt: optionalText, label: answer, probability };

export const readAnswers = inColumns(() => ({ kinds, unique: ["id"] }));

export const tells: Tells = { columns: { id: text, label: answer, probability } };
