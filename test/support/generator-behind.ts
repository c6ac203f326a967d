import sharp from "sharp";
import type { JsonObject } from "../../src/core/json.js";
import type { ImageGenerator } from "../../src/core/models.js";
import type { HostedGeneratorOptions } from "../../src/models/image-generation/hosted-generator.js";
import { handClock } from "./hand-clock.js";
import { type Behaviour, misbehavingServer, type Received } from "./misbehaving-server.js";

const create = { width: 40, height: 30, channels: 3, background: "#c03020" } as const;
export const madeImage: Uint8Array = await sharp({ create }).png().toBuffer();
export const madeImageUrl = `data:image/png;base64,${Buffer.from(madeImage).toString("base64")}`;
export const plantedKey = "planted-key-0123456789";

/** A reply with a status other than 200. */
export const status = (
  code: number,
  json: unknown = { error: { message: `status ${code}` } },
): Behaviour => ({ kind: "raw", status: code, text: JSON.stringify(json) });

/** A generator before a server of this machine that behaves as it is told; time stands still. */
export async function generatorBehind(
  make: (options: HostedGeneratorOptions) => ImageGenerator,
  behave: (call: Received, number: number, baseUrl: string) => Behaviour,
) {
  const clock = handClock();
  const trace: JsonObject[] = [];
  const server: { baseUrl: string; received: readonly Received[] } = await misbehavingServer({
    behave: (call, number) => behave(call, number, server.baseUrl),
  });
  const options = { baseUrl: server.baseUrl, apiKey: plantedKey, clock, timeOuts: { total: 9e6 } };
  const generator = make(options);
  return {
    clock,
    trace,
    server,
    generator,
    generate: (prompt = "a red wall", signal?: AbortSignal) =>
      generator.generate(
        { prompt, seed: 5 },
        { trace: (entry) => trace.push(entry), ...(signal === undefined ? {} : { signal }) },
      ),
  };
}
