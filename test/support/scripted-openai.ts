import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import { encodePng } from "../../src/images/pixels-picture.js";
import {
  type Behaviour,
  completion,
  misbehavingServer,
  type Received,
} from "./misbehaving-server.js";

/** What a chat model is asked: its words and images, in their order, and the JSON Schema if any. */
export interface ScriptedQuestion {
  /** Of the system's messages and the users', part by part. */
  readonly texts: readonly string[];
  /** Labels ("Image 1") and images as they come in the last message. */
  readonly shown: readonly { readonly label: string; readonly image: string }[];
  /** Bytes of all images, in base64. */
  readonly images: readonly string[];
  /** Name of the JSON Schema that the answer must follow. */
  readonly schema: string | undefined;
}

/** What a chat model says; alternatives of its first token, where log-probabilities are wanted. */
export interface ScriptedReply {
  readonly text: string;
  readonly probabilities?: Readonly<Record<string, number>>;
}

/** A small image of one colour, another for each text and seed: PNG. */
export function colouredImage(text: string, seed = 0, side = 8): Buffer {
  const colour = createHash("sha256").update(`${seed} ${text}`).digest();
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) => colour[at % 3] ?? 0);
  return Buffer.from(encodePng({ width: side, height: side, data }));
}

/**
 * A server on this machine that speaks as OpenAI, vLLM and others do, by default for as long as the test
 * runs:
 * `chat/completions` with log-probabilities, `images/generations`, `embeddings` of texts and of images
 * (vLLM's `messages`), and `models`.
 *
 * @param options.chat what its chat model says
 * @param options.embedding of an image's bytes in base64, or of a text
 * @param options.behave what else a call may meet, by its number; `undefined` answers it
 */
export async function scriptedOpenAi({
  chat,
  embedding = () => [1, 0],
  behave = () => undefined,
  onEnd = onTestFinished,
  sees = true,
}: {
  readonly chat?: (question: ScriptedQuestion) => ScriptedReply;
  readonly embedding?: (input: string) => readonly number[];
  readonly behave?: (call: Received, number: number) => Behaviour | undefined;
  readonly onEnd?: (stop: () => Promise<void>) => void;
  /** As `misbehavingServer` has it. */
  readonly sees?: NonNullable<Parameters<typeof misbehavingServer>[0]["sees"]>;
}) {
  const server = await misbehavingServer({
    onEnd,
    sees,
    behave(call, number) {
      served.listener?.();
      return behave(call, number) ?? answer(call);
    },
  });
  const served = {
    ...server,
    variables: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" },
    /** Is called at each call before it is answered. */
    listener: undefined as (() => void) | undefined,
  };
  return served;

  function answer({ path, body }: Received): Behaviour {
    if (path.endsWith("/models")) return json({ object: "list", data: [{ id: "tiny" }] });
    if (path.endsWith("/images/generations")) {
      const image = colouredImage(String(body.prompt), Number(body.seed ?? 0));
      return json({ created: 0, data: [{ b64_json: image.toString("base64") }] });
    }
    if (path.endsWith("/embeddings")) return json(embedded(body));
    if (path.endsWith("/chat/completions") && chat !== undefined) {
      return json(completion(chat(questionOf(body))));
    }
    return refused(404, `There is no ${path}`);
  }

  function embedded(body: Received["body"]) {
    const inputs: string[] =
      body.messages === undefined
        ? [body.input].flat().map(String)
        : [questionOf(body).images[0] ?? questionOf(body).texts.join(" ")];
    return {
      object: "list",
      model: body.model,
      data: inputs.map((input, index) => ({
        object: "embedding",
        index,
        embedding: embedding(input),
      })),
      usage: { prompt_tokens: 1, total_tokens: 1 },
    };
  }
}

const json = (value: unknown): Behaviour => ({ kind: "reply", json: value });
const refused = (status: number, message: string): Behaviour => ({
  kind: "raw",
  status,
  text: JSON.stringify({ error: { message, type: "invalid_request_error" } }),
});

interface WirePart {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

function questionOf(body: Received["body"]): ScriptedQuestion {
  const parts = (body.messages ?? []).flatMap(({ content }) =>
    typeof content === "string" ? [{ text: content }] : (content as WirePart[]),
  );
  const shown: { label: string; image: string }[] = [];
  let label = "";
  for (const { text, image_url } of parts) {
    if (text !== undefined) label = text;
    if (image_url !== undefined) shown.push({ label, image: image_url.url.replace(/^[^,]*,/, "") });
  }
  const format = body.response_format as { json_schema?: { name?: string } } | undefined;
  return {
    texts: parts.flatMap(({ text }) => (text === undefined ? [] : [text])),
    shown,
    images: shown.map(({ image }) => image),
    schema: format?.json_schema?.name,
  };
}
