import type { Reader } from "./readers.js";

/** What a provider does instead of replying as it should. */
export interface Fault {
  readonly name: string;
  /** @param good the sound reply @throws what fetch throws where no reply comes. */
  reply(good: object): Response;
  /** The answer can still be read: by all readers, or by those that ask for JSON. */
  readonly stillSays?: "all" | "json";
}

const json = JSON.stringify;

const statuses = [
  ...[300, 301, 302, 303, 305, 307, 308, 400, 406, 408, 409, 410, 411, 413, 414, 415, 418, 421],
  ...[422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 507, 511, 520, 529],
];

const status = (code: number, headers = {}): Fault => ({
  name: `HTTP ${code}${json(headers) === "{}" ? "" : ` with ${json(headers).slice(0, 60)}`}`,
  // With the sound answer in it: a reply that says that it failed is none.
  reply: (good) =>
    new Response([204, 205, 304].includes(code) ? null : json(good), {
      status: code,
      headers,
    }),
});

const body = (
  name: string,
  of: (good: object) => string | Uint8Array,
  stillSays?: Fault["stillSays"],
): Fault => ({
  name,
  reply: (good) => {
    const made = of(good);
    return new Response(typeof made === "string" ? made : new Blob([new Uint8Array(made)]));
  },
  ...(stillSays && { stillSays }),
});

const throwing = (name: string, cause: Error): Fault => ({
  name,
  reply: () => {
    throw new TypeError("fetch failed", { cause });
  },
});

/** Every number, text, list or object in a value, replaced. */
function each(
  value: unknown,
  replace: (inner: unknown, name: string) => unknown,
  name = "",
): unknown {
  const replaced = replace(value, name);
  if (replaced !== value) return replaced;
  if (Array.isArray(value)) return value.map((inner) => each(inner, replace, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, each(inner, replace, member)]),
  );
}

const wherever = (names: readonly string[], value: unknown) => (good: object) =>
  json(each(good, (inner, name) => (names.includes(name) ? value : inner)));

/** The members of every object twice over, the second time with another value. */
function doubled(value: unknown, another: (inner: unknown) => unknown): string {
  if (Array.isArray(value)) return `[${value.map((inner) => doubled(inner, another)).join(",")}]`;
  if (typeof value !== "object" || value === null) return json(value);
  const members = Object.entries(value).flatMap(([name, inner]) => [
    `${json(name)}:${doubled(inner, another)}`,
    `${json(name)}:${json(another(inner))}`,
  ]);
  return `{${members.join(",")}}`;
}

const otherThan = (value: unknown): unknown =>
  typeof value === "number" ? (value === 1 ? 2 : 1) : typeof value === "string" ? "no" : value;

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** The text that a model said, replaced; what else the reply holds stays. */
const content = (name: string, of: (said: string) => unknown, stillSays?: Fault["stillSays"]) =>
  body(
    `the text ${name}`,
    (good) =>
      json(
        each(good, (inner, at) =>
          at === "content" && typeof inner === "string" ? of(inner) : inner,
        ),
      ),
    stillSays,
  );

const parsed = (said: string): unknown => {
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
};
const inJson = (of: (answer: unknown) => string) => (said: string) => of(parsed(said));
const numbersAs = (text: string) => (answer: unknown) =>
  json(each(answer, (inner) => (typeof inner === "number" ? "@" : inner))).replaceAll('"@"', text);

/** The log-probabilities of the reply, replaced. */
const tokens = (name: string, of: (given: unknown[]) => unknown) =>
  body(`log-probabilities ${name}`, (good) =>
    json(
      each(good, (inner, at) =>
        at === "logprobs" && inner !== null ? of(Object(inner).content) : inner,
      ),
    ),
  );
const inTokens = (name: string, of: (inner: unknown) => unknown) =>
  tokens(name, (given) => ({
    content: each(given, (inner, at) => (at === "logprob" ? of(inner) : inner)),
  }));
const alternatives = (name: string, of: (listed: { logprob: number }[]) => unknown) =>
  tokens(`with alternatives ${name}`, (given) => ({
    content: given.map((token) => ({
      ...Object(token),
      top_logprobs: of(Object(token).top_logprobs),
    })),
  }));
const literally = (name: string, literal: string) =>
  body(`a log-probability of ${name}`, (good) =>
    json(each(good, (inner, at) => (at === "logprob" ? "@" : inner))).replaceAll('"@"', literal),
  );

export const faults: readonly Fault[] = [
  ...statuses.map((code) => status(code)),
  status(204),
  status(205),
  status(304),
  status(302, { location: "https://elsewhere.test/v1" }),
  status(307, { location: "http://[" }),
  status(429, { "retry-after": "999999999" }),
  status(429, { "retry-after": "9".repeat(400) }),
  status(503, { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }),
  status(429, { "retry-after": "-1" }),
  throwing("a connection that breaks", Object.assign(new Error("reset"), { code: "ECONNRESET" })),
  throwing(
    "a name that can't be looked up now",
    Object.assign(new Error("x"), { code: "EAI_AGAIN" }),
  ),
  {
    name: "a reply that breaks off on the way",
    reply: (good) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(json(good).slice(0, 40)));
            controller.error(new Error("terminated"));
          },
        }),
      ),
  },

  body("nothing", () => ""),
  body("white space", () => " \n\t "),
  ...["null", "true", "0", '"Yes"', "[]", "{}", "[null]", "-", "NaN", "undefined"].map((text) =>
    body(`the body ${text}`, () => text),
  ),
  body("a web page", () => "<!DOCTYPE html><title>Log in</title><p>Yes"),
  body("XML", () => '<?xml version="1.0"?><answer>Yes</answer>'),
  body("half of it", (good) => json(good).slice(0, json(good).length / 2)),
  body("all but its last character", (good) => json(good).slice(0, -1)),
  body("it twice", (good) => json(good) + json(good)),
  body("it in lines for a stream", (good) => `data: ${json(good)}\n\ndata: [DONE]\n\n`),
  body("it in a list", (good) => json([good])),
  body("it as a text", (good) => json(json(good))),
  body("it within another object", (good) => json({ result: good })),
  body("it with single quotes", (good) => json(good).replaceAll('"', "'")),
  body("it with a comma too many", (good) => json(good).replace(/\}$/, ",}")),
  body("it in UTF-16", (good) => Buffer.from(json(good), "utf16le")),
  body("what is no UTF-8", () => Uint8Array.of(0xff, 0xfe, 0x80, 0x7b)),
  body("an image", () => Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)),
  body("an error", () => json({ error: { message: "overloaded", code: "overloaded" } })),
  body("an error beside it", (good) => json({ ...good, error: { message: "overloaded" } })),
  body("an error that is true", (good) => json({ ...good, error: true })),
  body("an error nested without end", () => `{"error": {"a": ${nested(1e4)}}}`),
  body("brackets without end", () => "[".repeat(1e4)),
  body("nesting without end", () => nested(1e4)),
  body("it after a byte order mark", (good) => `\uFEFF${json(good)}`, "all"),
  body("it with white space all over", (good) => `\n\n${JSON.stringify(good, null, 2)}\n`, "all"),
  body(
    "it with members that nobody knows",
    (good) => json({ ...good, more: { deep: [1e300] } }),
    "all",
  ),
  body(
    "it beside nesting without end",
    (good) => json(good).replace(/\}$/, `,"x":${nested(1e4)}}`),
    "all",
  ),
  body(
    "it beside a member that stands twice",
    (good) => json(good).replace(/\}$/, ',"x":1,"x":2}'),
    "all",
  ),
  body("every member twice", (good) => doubled(good, otherThan)),
  body("every member twice, then null", (good) => doubled(good, () => null)),
  body("every number too large", (good) => numbersAs("1e999")(good)),
  body("every number as a text", (good) =>
    json(each(good, (inner) => (typeof inner === "number" ? String(inner) : inner))),
  ),
  body("every text as a number", (good) =>
    json(each(good, (inner) => (typeof inner === "string" ? 4 : inner))),
  ),
  body("every text empty", (good) =>
    json(each(good, (inner) => (typeof inner === "string" ? "" : inner))),
  ),
  body("every list empty", (good) =>
    json(each(good, (inner) => (Array.isArray(inner) ? [] : inner))),
  ),
  body("every list an object", (good) =>
    json(each(good, (inner) => (Array.isArray(inner) ? { ...inner } : inner))),
  ),
  ...[
    "choices",
    "message",
    "content",
    "logprobs",
    "data",
    "output",
    "images",
    "finish_reason",
    "usage",
  ].flatMap((name) => [
    ...[null, 7, "?", {}, [], [null]].map((value) =>
      body(`${json(value)} for ${name}`, wherever([name], value)),
    ),
    body(`${name} twice`, (good) =>
      json(good).replace(`${json(name)}:`, `${json(name)}:[{}],${json(name)}:`),
    ),
  ]),
  body("two choices that differ", (good) =>
    json(
      each(good, (inner, name) =>
        name === "choices" && Array.isArray(inner)
          ? [...inner, { message: { content: '{"rating": 1}' } }]
          : inner,
      ),
    ),
  ),
  body("a refusal", wherever(["message"], { content: null, refusal: "I can't." })),
  body("a refusal beside it", (good) =>
    json(each(good, (inner, name) => (name === "refusal" ? "I can't." : inner))),
  ),
  ...["content_filter", "error", "length"].map((ending) =>
    body(`an ending of ${ending} after half of the text`, (good) =>
      json(
        each(good, (inner, name) => {
          if (name === "finish_reason") return ending;
          return name === "content" && typeof inner === "string" ? inner.slice(0, -3) : inner;
        }),
      ),
    ),
  ),

  content("is empty", () => ""),
  content("is white space", () => " \n "),
  content("is prose", () => "Hard to say, since the picture is dark."),
  content("is a list of parts", (said) => [{ type: "text", text: said }]),
  content("is one character over and over", () => "[".repeat(1000)),
  content("is half of it", (said) => said.slice(0, said.length / 2)),
  content(
    "is followed by another one",
    inJson((answer) => `${json(answer)} or ${numbersAs("0.5")(answer)} {"rating": 1}`),
  ),
  content("is a thought without an end", (said) => `<think>Perhaps ${said}`),
  content(
    "has every member twice",
    inJson((answer) => doubled(answer, otherThan)),
  ),
  content(
    "has every member twice, alike",
    inJson((answer) => doubled(answer, (inner) => inner)),
  ),
  content(
    "has every member twice, then null",
    inJson((answer) => doubled(answer, () => null)),
  ),
  ...[
    "1e999",
    "-1e999",
    "NaN",
    "Infinity",
    "-7",
    "1e-400",
    "0.5e1",
    "null",
    "[]",
    '"?"',
    "99999999999999999999",
    nested(101),
  ].map((literal) =>
    content(
      `has ${literal.slice(0, 22)} for every number`,
      inJson((answer) => (json(answer).match(/\d/) ? numbersAs(literal)(answer) : "?")),
    ),
  ),
  content(
    "has texts for lists",
    inJson((answer) => json(each(answer, (inner) => (Array.isArray(inner) ? "?" : inner)))),
  ),
  content(
    "has lists for texts",
    inJson((answer) =>
      typeof answer === "string"
        ? "?"
        : json(each(answer, (inner) => (typeof inner === "string" ? [inner] : inner))),
    ),
  ),
  content("has no members", () => "{}"),
  content("stands in a fence", (said) => `Here it is:\n\`\`\`json\n${said}\n\`\`\``, "json"),
  content("stands in prose", (said) => `I would say ${said}, on the whole.`, "json"),
  content("follows a thought", (said) => `<think>Or {"rating": 1}?</think>\n${said}`, "json"),

  content(
    "is followed by one that is none",
    inJson((answer) => `${json(answer)} or rather ${numbersAs("99")(answer)}`),
  ),

  body("log-probabilities of another text than the answer", (good) =>
    json(
      each(good, (inner) => {
        const { logprobs, message } = Object(inner);
        return logprobs ? { ...Object(inner), message: { ...message, content: "Hm." } } : inner;
      }),
    ),
  ),
  tokens("that are missing", () => undefined),
  tokens("that are null", () => null),
  tokens("of no token", () => ({ content: [] })),
  tokens("of another format", () => ({ tokens: ["Yes"], token_logprobs: [-0.1] })),
  tokens("of white space alone", () => ({
    content: [{ token: " ", logprob: -0.1, top_logprobs: [] }],
  })),
  tokens("without tokens", () => ({ content: [{ logprob: -0.1 }] })),
  inTokens("of null", () => null),
  inTokens("as texts", String),
  inTokens("above 0", () => 0.5),
  inTokens("of 0 for all", () => 0),
  inTokens("next to impossible for all", () => -9999),
  inTokens("that are objects", () => ({ toString: 1 })),
  literally("1e999", "1e999"),
  literally("-1e999", "-1e999"),
  literally("NaN", "NaN"),
  literally("two values", '-0.1,"logprob":-3'),
  alternatives("that are missing", () => undefined),
  alternatives("that are null", () => null),
  alternatives("that are none", () => []),
  alternatives("of the word itself", (listed) => listed.slice(0, 1)),
  alternatives("as an object", (listed) => ({ ...listed })),
  alternatives("without probabilities", () => [{ token: "Yes" }]),
  alternatives("twice over", (listed) => [...listed, ...listed]),
  alternatives("of other words", () => ["The", "Sure"].map((token) => ({ token, logprob: -0.7 }))),
];

/** The ways in which a provider ends the work, since no other item would fare better. */
export const endings: readonly Fault[] = [401, 402, 403, 404, 405].map((code) => status(code));

/** A provider that replies with a fault to each call. */
export const faulty =
  ({ good }: Pick<Reader, "good">, { reply }: Pick<Fault, "reply">): typeof fetch =>
  async (url) =>
    reply(good(String(url)));
