import { levelsProtocol } from "../levels.js";

/** The whole image held against the whole prompt, 1 to 5 (L-VQAScore, section 5: baseline). */
export const likert = levelsProtocol({
  name: "likert",
  question: "How well does the image match the whole text?",
  values: [1, 2, 3, 4, 5],
});
