import { randomFrom } from "../../core/random.js";
import { styleNames } from "./sprites.js";

/** The style that the lab's painters paint in by a seed, whatever the sentence. */
export const styleOf = (seed: number): string => randomFrom(seed, "style").pick(styleNames());
