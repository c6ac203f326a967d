import { z } from "zod";
import { labPainter } from "../painter/lab-painter.js";
import { confusingPainterNames, painterNames, skewedPainterNames } from "../painter/painters.js";
import { labPictureSize } from "../signature.js";
import { unknownModel } from "./chat-completions.js";
import { checkedBody } from "./wire-error.js";

/** The lab's painters, as they are asked for: painter, painter-a to painter-e, painter-things-a, …, painter-slight, …. */
export const generatorNames = (): readonly string[] => [
  "painter",
  ...[...painterNames(), ...confusingPainterNames(), ...skewedPainterNames()].map(
    (name) => `painter-${name}`,
  ),
];

const size = `${labPictureSize}x${labPictureSize}`;
const most = 10;

const schema = z.object({
  model: z.string().default("painter"),
  prompt: z.string().min(1),
  n: z.int().min(1).max(most).nullish(),
  size: z.literal([size, "auto"], `The lab paints ${size} pixels only`).nullish(),
  response_format: z
    .literal("b64_json", "The lab keeps no pictures at addresses; response_format is b64_json")
    .nullish(),
  /** Not of OpenAI's: the same prompt and seed give the same picture. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 32)
    .nullish(),
  stream: z.literal(false, "The lab's server does not stream; leave stream out").nullish(),
});

/**
 * Answers a request of `images/generations` by the lab's painter: PNG in base64. The n-th picture of
 * a request is painted from the seed plus n; without a seed it is 0.
 *
 * @throws WireError for a request that does not fit; NoAnswer for what the lab can't paint.
 */
export async function imageGeneration(body: unknown, { signal }: { signal?: AbortSignal } = {}) {
  const { model, prompt, n, seed } = checkedBody(schema, body);
  const name = model.replace(/^lab:/, "");
  if (!generatorNames().includes(name)) throw unknownModel(model, generatorNames());
  const [, letter] = /^painter-(.+)$/.exec(name) ?? [];
  const painter = labPainter(letter === undefined ? {} : { name: letter });
  const data: { b64_json: string }[] = [];
  for (let index = 0; index < (n ?? 1); index++) {
    signal?.throwIfAborted();
    // What is really in the picture stays here: no real provider could say.
    const { bytes } = await painter.generate({ prompt, seed: (seed ?? 0) + index });
    data.push({ b64_json: Buffer.from(bytes).toString("base64") });
  }
  return { created: 0, data };
}
