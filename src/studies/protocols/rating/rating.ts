import { levelsProtocol } from "../levels.js";

/** One image held against its text, 1 to 4 (ProtoBias, section 4: human evaluation). */
export const rating = levelsProtocol({
  name: "rating",
  question: "How well does the image show what the text says?",
  values: [1, 2, 3, 4],
});
