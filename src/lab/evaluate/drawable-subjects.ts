import { hasDrawing } from "../painter/sprites.js";
import { subjects } from "../world/vocabulary.js";

/** Every subject that the lab has a drawing of. */
export const drawableSubjects = (): string[] =>
  [...subjects.keys()].filter((kind) => hasDrawing(kind));
