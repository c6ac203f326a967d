import { keyOf } from "../../src/core/keys.js";
import { completion } from "./misbehaving-server.js";

/**
 * A provider without a network: it answers `chat/completions` with a probability of yes that only
 * the messages decide.
 */
export const answeringFetch: typeof globalThis.fetch = async (_url, init) => {
  init?.signal?.throwIfAborted();
  const { messages, logprobs, response_format } = JSON.parse(String(init?.body));
  const share = 0.02 + (0.96 * Number.parseInt(keyOf(messages).slice(0, 8), 16)) / 2 ** 32;
  const said = response_format === undefined ? "Yes" : JSON.stringify({ probability: share });
  return Response.json(
    completion({
      text: said,
      ...(logprobs ? { probabilities: { Yes: share, No: 0.99 - share } } : {}),
    }),
  );
};

/** A provider of embeddings without a network: eight numbers that what is embedded alone decides. */
export const embeddingFetch: typeof globalThis.fetch = async (_url, init) => {
  init?.signal?.throwIfAborted();
  const { messages, input } = JSON.parse(String(init?.body));
  const key = keyOf(messages ?? input);
  const embedding = Array.from({ length: 8 }, (_, at) =>
    Number.parseInt(key.slice(4 * at, 4 * at + 4), 16),
  );
  return Response.json({ object: "list", data: [{ object: "embedding", index: 0, embedding }] });
};
