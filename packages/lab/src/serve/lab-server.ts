import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { labModel } from "../models/lab-model.js";
import { labPainter } from "../painter/lab-painter.js";
import { confusingPainterNames, painterNames, skewedPainterNames } from "../painter/painters.js";
import { labPictureSize } from "../signature.js";
import {
  type Answerers,
  chatCompletion,
  checkedBody,
  unknownModel,
  WireError,
  wireErrorOf,
} from "./chat-completions.js";

const mostBytes = 32 * 2 ** 20;
/** Models that answer in chat/completions. */
const served = [
  "vqa",
  "vqa-small",
  "filter-vqa",
  "vqa-people",
  "filter-people",
  "rater",
  "judge",
  "proto-score",
  "proto-score-triplets",
  "auditor",
  "refiner",
] as const;
const thisMachine = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The lab's models behind OpenAI's wire format: `chat/completions`, `images/generations` and
 * `models` below /v1. Request in, Response out; whoever calls it listens.
 *
 * @param token what requests must carry as a bearer token. Without one, only requests that name this
 *   machine as their host are answered, so that no web page can reach the server by a name of its own.
 */
export function labServer({
  token,
  weights,
}: {
  readonly token?: string | undefined;
  /** Where the models' folders lie; those of the package if not given. */
  readonly weights?: URL;
} = {}): Hono {
  const app = new Hono();
  // Loaded when first asked, and then kept.
  const folder = weights === undefined ? {} : { weights };
  const answerers: Answerers = Object.fromEntries(
    served.map((name) => [name, labModel(name, folder)]),
  );
  app.onError((error, context) => {
    const { status, body } = wireErrorOf(error);
    return context.json(body, status);
  });
  app.notFound((context) => {
    const { method, path } = context.req;
    const known = "POST /v1/chat/completions, POST /v1/images/generations and GET /v1/models";
    const { status, body } = wireErrorOf(
      new WireError(404, `There is no ${method} ${path}; there are ${known}`, {
        code: "not_found",
      }),
    );
    return context.json(body, status);
  });
  app.use(async (context, next) => {
    if (token !== undefined) {
      if (context.req.header("authorization") !== `Bearer ${token}`) {
        throw new WireError(401, "Expected the server's token as a bearer token", {
          code: "invalid_api_key",
        });
      }
    } else {
      const origin = context.req.header("origin");
      const isHere = (url: string) =>
        URL.canParse(url) && thisMachine.includes(new URL(url).hostname);
      if (!isHere(context.req.url) || (origin !== undefined && !isHere(origin))) {
        throw new WireError(403, "Only requests of this machine are answered", {
          code: "forbidden",
        });
      }
    }
    await next();
  });
  app.use(
    bodyLimit({
      maxSize: mostBytes,
      onError: () => {
        throw new WireError(413, `Expected at most ${mostBytes / 2 ** 20} MiB`, {
          code: "request_too_large",
        });
      },
    }),
  );
  app.get("/v1/models", (context) =>
    context.json({
      object: "list",
      data: [...Object.keys(answerers), ...generatorNames()].map((id) => ({
        id,
        object: "model",
        created: 0,
        owned_by: "touchstone-lab",
      })),
    }),
  );
  app.post("/v1/chat/completions", async ({ req, json }) =>
    json(await chatCompletion(await bodyOf(req), { answerers, signal: req.raw.signal })),
  );
  app.post("/v1/images/generations", async ({ req, json }) =>
    json(await imageGeneration(await bodyOf(req), { signal: req.raw.signal })),
  );
  return app;
}

async function bodyOf(request: { text(): Promise<string> }): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError(400, "Expected a JSON object as the body");
  }
}

/** The lab's painters, as they are asked for: painter, painter-a to painter-e, painter-things-a, …, painter-slight, …. */
const generatorNames = (): readonly string[] => [
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
async function imageGeneration(body: unknown, { signal }: { signal?: AbortSignal } = {}) {
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
