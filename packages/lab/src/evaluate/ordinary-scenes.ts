import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { asRead } from "../as-read.js";
import { paint } from "../painter/paint.js";
import { styleNames } from "../painter/sprites.js";
import { type FaultySentence, faultySentences } from "../world/faulty-sentences.js";
import { sampleScene } from "../world/sample.js";
import { drawableSubjects, pngOf } from "./held-out.js";

/** A picture of no benchmark, with sentences that are true or false of it. */
export interface OrdinaryScene {
  readonly name: string;
  /** A PNG. */
  readonly bytes: Uint8Array;
  readonly sentences: readonly FaultySentence[];
}

const sentencesPerScene = 6;
/** After few layouts of a crowded scene another is painted instead. */
const mostLayouts = 24;
/** Most words of a text that the lab's models read. */
const mostWords = 32;

/**
 * Scenes of animals and things without defects, one after another: those that training/make-data.mjs paints
 * with `--people 0` by the same seed.
 */
export async function* ordinaryScenes({
  scenes,
  seed,
}: {
  readonly scenes: number;
  readonly seed: string;
}): AsyncGenerator<OrdinaryScene> {
  const kinds = drawableSubjects();
  for (let index = 0; index < scenes; index++) {
    const { scene, canvas } = await painted(seed, index, kinds);
    const random = randomFrom(seed, index, "prompts");
    yield {
      name: `${seed}/${index}`,
      bytes: pngOf(canvas),
      sentences: faultySentences(scene, { count: sentencesPerScene, kinds, random, fits: isShort }),
    };
  }
}

async function painted(seed: string, index: number, kinds: readonly string[]) {
  for (let attempt = 0; ; attempt++) {
    const random = randomFrom(seed, index, attempt);
    const scene = sampleScene(random, kinds);
    const style = random.pick(styleNames());
    const found = await paint(scene, style, `${seed}/${index}/${attempt}`, mostLayouts);
    if (found !== undefined) return found;
  }
}

const isShort = (text: string): boolean =>
  (asRead(text).match(/[a-z-]+|[^\sa-z-]/gi) ?? []).length <= mostWords;
