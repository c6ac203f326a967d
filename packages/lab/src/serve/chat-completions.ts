import { keyOf } from "touchstone-t2i/internal/core/keys.js";
import type {
  ChatModel,
  ChatPart,
  ChatRequest,
  ChatToken,
  Picture,
  Pixels,
  VisualQuestionAnswering,
} from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { sightQuestions } from "touchstone-t2i/internal/models/sight/check-sight.js";
import { colourLevels } from "touchstone-t2i/internal/models/sight/colour-images.js";
import { z } from "zod";

/** The lab's models that answer questions or chat, by name. */
export type Answerers = Readonly<Record<string, VisualQuestionAnswering | ChatModel>>;

const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);

const count = (most: number) => z.int().min(1).max(most).nullish();

const schema = z.object({
  model: z.string(),
  messages: z
    .array(
      z.object({
        role: z.enum(["system", "developer", "user", "assistant"]),
        content: z.union([z.string(), z.array(part)]),
      }),
    )
    .min(1),
  n: count(128),
  max_tokens: count(1_000_000),
  max_completion_tokens: count(1_000_000),
  temperature: z.number().min(0).max(2).nullish(),
  seed: z.int().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  stream: z.literal(false, "The lab's server does not stream; leave stream out").nullish(),
  response_format: z
    .discriminatedUnion(
      "type",
      [
        z.object({ type: z.literal("text") }),
        z.object({
          type: z.literal("json_schema"),
          json_schema: z.object({ name: z.string(), schema: z.record(z.string(), z.json()) }),
        }),
      ],
      "The lab's server takes text and json_schema, as OpenAI words them",
    )
    .nullish(),
});

type Request = z.output<typeof schema>;

interface Choice {
  readonly token: string;
  readonly logprob: number;
}

/** A token of the answer, with what else might have stood in its place; itself alone where not given. */
interface Said extends Choice {
  readonly alternatives?: readonly Choice[] | undefined;
}

const notYesNo =
  "I only answer yes or no to a question about one picture, such as: Is there a red car? " +
  "Please answer yes or no.";

/**
 * Answers a request of `chat/completions`: a question of yes or no about one picture, given as a
 * data URL in the last message. The answer is one token, and the log-probabilities of its two
 * alternatives are the logarithms of P(yes) and P(no). Anything else is told what can be asked.
 *
 * A model that chats, such as lab:judge, is handed the whole request, with the JSON Schema that its answer
 * must follow, and says itself what it can't do.
 *
 * At temperature 0 the likelier word is said. Else it is drawn, from the seed and the whole request
 * alone: the same request gets the same answer.
 *
 * @throws WireError for a request that does not fit; NoAnswer for a picture that the lab did not paint.
 */
export async function chatCompletion(
  body: unknown,
  { answerers, signal }: { readonly answerers: Answerers; readonly signal?: AbortSignal },
) {
  const request = checkedBody(schema, body);
  const model = new Map(Object.entries(answerers)).get(request.model.replace(/^lab:/, ""));
  if (model === undefined) throw unknownModel(request.model, Object.keys(answerers));
  if (request.top_logprobs && !request.logprobs) {
    throw new WireError(400, "top_logprobs is there only where logprobs is true", {
      param: "top_logprobs",
    });
  }
  const key = keyOf(JSON.parse(JSON.stringify(request)));
  const many = request.n ?? 1;
  const colours = await coloursSeen(request);
  const choices =
    colours !== undefined
      ? Array.from({ length: many }, () => said(colours.split(/(?= )/), request))
      : "chat" in model
        ? await chatted(model, { request, key, many, signal })
        : await answered(model, { request, key, many, signal });
  const words = choices.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const inTokens = tokensIn(request);
  return {
    id: `chatcmpl-${key}`,
    object: "chat.completion",
    created: 0,
    model: request.model,
    system_fingerprint: model.identity.revision ?? null,
    choices: choices.map(({ tokens, finish }, index) => ({
      index,
      message: {
        role: "assistant",
        content: tokens.map(({ token }) => token).join(""),
        refusal: null,
      },
      finish_reason: finish,
      logprobs: request.logprobs
        ? {
            content: tokens.map((token) => ({
              ...wireToken(token),
              top_logprobs: (token.alternatives ?? [token])
                .slice(0, request.top_logprobs ?? 0)
                .map(wireToken),
            })),
          }
        : null,
    })),
    usage: {
      prompt_tokens: inTokens,
      completion_tokens: words,
      total_tokens: inTokens + words,
    },
  };
}

/** @throws WireError always, in OpenAI's words for it. */
export function unknownModel(model: string, known: readonly string[]): WireError {
  return new WireError(404, `The model "${model}" does not exist; there are ${known.join(", ")}`, {
    code: "model_not_found",
    param: "model",
  });
}

interface Asking {
  readonly request: Request;
  readonly key: string;
  readonly many: number;
  readonly signal: AbortSignal | undefined;
}

async function answered(model: VisualQuestionAnswering, asking: Asking) {
  const { request, many } = asking;
  if (request.response_format?.type === "json_schema") {
    throw new WireError(400, "This model answers in plain text only (no json_schema)", {
      param: "response_format.type",
    });
  }
  const asked = await questionOf(request);
  if (asked !== undefined) return answers(model, asked, asking);
  return Array.from({ length: many }, () => said(notYesNo.split(/(?= )/), request));
}

/** Asks a model the messages as they are, each time as another trial. */
async function chatted(model: ChatModel, { request, key, many, signal }: Asking) {
  const asked: ChatRequest = {
    messages: await Promise.all(
      request.messages.map(async ({ role, content }) => ({
        role: role === "developer" ? "system" : role,
        parts: await partsOf(content),
      })),
    ),
    temperature: request.temperature ?? 1,
    // The seed alone would draw alike for every request.
    seed: randomFrom("lab serve", request.seed ?? 0, key).integer(2 ** 31),
    topLogProbabilities: request.top_logprobs ?? 0,
    ...(request.response_format?.type === "json_schema"
      ? { answerSchema: request.response_format.json_schema }
      : {}),
  };
  return Promise.all(
    Array.from({ length: many }, async (_, trial) => {
      const { tokens = [], text } = await model.chat(asked, { trial, ...(signal && { signal }) });
      const said = tokens.map(
        (token): Said => ({
          ...wireTokenOf(token),
          alternatives: token.alternatives.map(wireTokenOf),
        }),
      );
      return {
        tokens: said.length === 0 ? [{ token: text, logprob: 0 }] : said,
        finish: "stop" as const,
      };
    }),
  );
}

const wireTokenOf = ({ token, logProbability }: Pick<ChatToken, "token" | "logProbability">) => ({
  token,
  logprob: logOf(logProbability),
});

/**
 * Answers the questions that check whether a model sees, from the pixels that came: nobody has trained the lab's
 * models to name colours, and what is to be shown is that their images arrive. `undefined` for other questions.
 */
async function coloursSeen({ messages }: Request): Promise<string | undefined> {
  const content = messages.at(-1)?.content ?? "";
  const parts = typeof content === "string" ? [] : content;
  const count = stripesAsked(parts.map((one) => (one.type === "text" ? one.text : "")).join(" "));
  if (count === undefined) return undefined;
  const names = (await partsOf(content)).map(async (one) =>
    one.type === "image" ? stripesOf(await one.image.pixels(), count) : [],
  );
  return (await Promise.all(names)).flat().join(", ");
}

const partsOf = async (
  content: Request["messages"][number]["content"],
): Promise<readonly ChatPart[]> =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : Promise.all(
        content.map(async (one) =>
          one.type === "text" ? one : { type: "image", image: await pictureOf(one.image_url.url) },
        ),
      );

async function answers(
  model: VisualQuestionAnswering,
  { picture, question }: { readonly picture: Picture; readonly question: string },
  { request: { temperature, seed }, key, many, signal }: Asking,
) {
  const options = signal === undefined ? {} : { signal };
  const [probability = 0] = await model.probabilityOfYes(picture, [question], options);
  const yes = { token: "Yes", logprob: logOf(Math.log(probability)) };
  const no = { token: "No", logprob: logOf(Math.log1p(-probability)) };
  const isYes = probability >= 0.5;
  const alternatives = isYes ? [yes, no] : [no, yes];
  const heat = temperature ?? 1;
  // The odds at another temperature, as a softmax of the logits over it has them.
  const tempered = 1 / (1 + Math.exp((no.logprob - yes.logprob) / heat));
  return Array.from({ length: many }, (_, index) => {
    const random = randomFrom("lab serve", seed ?? 0, key, index);
    const saysYes = heat === 0 ? isYes : random.chance(tempered);
    return {
      tokens: [{ ...(saysYes ? yes : no), alternatives }] satisfies Said[],
      finish: "stop" as const,
    };
  });
}

/** JSON has no infinity; OpenAI writes this for what is next to impossible. */
const logOf = (value: number): number => Math.max(value, -9999);

/** A text, as far as the tokens go that were asked for. */
function said(words: readonly string[], { max_tokens, max_completion_tokens }: Request) {
  const most = max_completion_tokens ?? max_tokens ?? words.length;
  const tokens: readonly Said[] = words.slice(0, most).map((token) => ({ token, logprob: 0 }));
  const finish = most < words.length ? ("length" as const) : ("stop" as const);
  return { tokens, finish };
}

const wireToken = ({ token, logprob }: Choice) => ({
  token,
  logprob,
  bytes: [...new TextEncoder().encode(token)],
});

/** The picture and the question of the last message; `undefined` where it asks for something else. */
async function questionOf({ messages }: Request) {
  const last = messages.at(-1);
  const parts = typeof last?.content === "string" ? [] : (last?.content ?? []);
  const urls = parts.flatMap((one) => (one.type === "image_url" ? [one.image_url.url] : []));
  const [url] = urls;
  if (last?.role !== "user" || url === undefined) return undefined;
  if (urls.length > 1) {
    throw new WireError(400, `The lab looks at one picture at a time but received ${urls.length}`, {
      param: "messages",
    });
  }
  // Looked at even where the question does not fit: a photograph is refused in any case.
  const picture = await pictureOf(url);
  const question = parts
    .flatMap((one) => (one.type === "text" ? [one.text] : []))
    .join("\n")
    .trim();
  return isYesNo(question) ? { picture, question } : undefined;
}

/** Whether a text asks for yes or no: it says so, or begins as such questions do and ends as one. */
function isYesNo(text: string): boolean {
  if (/\byes or no\b|\byes\/no\b/i.test(text)) return true;
  const begins = /^(is|are|was|were|does|do|did|has|have|can|could|will|would)\b/i.test(text);
  // The metrics that ask with a bare phrase end it with a question mark.
  return (
    text.endsWith("?") && (begins || !/^(what|which|who|whose|where|when|why|how)\b/i.test(text))
  );
}

async function pictureOf(url: string): Promise<Picture> {
  const [, base64] = /^data:image\/[a-z0-9.+-]+;base64,([A-Za-z0-9+/=\s]+)$/i.exec(url) ?? [];
  if (base64 === undefined) {
    throw new WireError(
      400,
      "Expected an image as a data URL with base64 (data:image/png;base64,…): the lab fetches nothing",
      { code: "invalid_image_url", param: "messages" },
    );
  }
  return openPicture(Buffer.from(base64, "base64"), "the image of the request");
}

/** Words of all texts, and one for each picture. */
function tokensIn({ messages }: Request): number {
  const parts = messages.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : content,
  );
  return parts.reduce(
    (sum, one) => sum + (one.type === "text" ? one.text.split(/\s+/).filter(Boolean).length : 1),
    0,
  );
}

/** A refusal in OpenAI's error format. */
export class WireError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 413 | 500;
  readonly code: string;
  readonly param: string | null;

  constructor(
    status: WireError["status"],
    message: string,
    { code = "invalid_request", param = null }: { code?: string; param?: string | null } = {},
  ) {
    super(message);
    this.name = "WireError";
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** `{ error: { message, type, param, code } }` and its HTTP status, for whatever was thrown. */
export function wireErrorOf(error: unknown) {
  const known =
    error instanceof WireError
      ? error
      : error instanceof NoAnswer
        ? new WireError(400, error.message, { code: error.reason.replaceAll("-", "_") })
        : // What went wrong inside is nobody's business who asks over the network.
          new WireError(500, "The lab's server failed at this request", { code: "internal" });
  const { status, message, param, code } = known;
  const type = status === 500 ? "server_error" : "invalid_request_error";
  return { status, body: { error: { message, type, param, code } } };
}

/** The body of a request, checked. @throws WireError that names the first member that does not fit. */
export function checkedBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue === undefined || issue.path.length === 0 ? null : issue.path.join(".");
  throw new WireError(400, `${param ?? "The body"}: ${issue?.message ?? "is not as expected"}`, {
    param,
  });
}

/** Stripes of an image that a question of the sight check asks about; `undefined` for any other question. */
function stripesAsked(question: string): number | undefined {
  if (question.includes(sightQuestions.stripes)) return 4;
  if (question.includes(sightQuestions.pair)) return 2;
  return question.includes(sightQuestions.plain) ? 1 : undefined;
}

/** Names the colour in the middle of each vertical stripe, from left to right. */
const stripesOf = (pixels: Pixels, count: number): string[] =>
  Array.from({ length: count }, (_, at) => nearestColour(pixels, (at + 0.5) / count));

function nearestColour({ width, height, data }: Pixels, across: number): string {
  const at = 3 * (Math.floor(height / 2) * width + Math.floor(across * width));
  const distance = (levels: readonly number[]) =>
    levels.reduce((sum, level, channel) => sum + (level - (data[at + channel] ?? 0)) ** 2, 0);
  const [[name] = [""]] = Object.entries(colourLevels).sort(
    ([, one], [, other]) => distance(one) - distance(other),
  );
  return name;
}
