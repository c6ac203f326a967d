import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, type Json } from "../../src/core/json.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { type Reader, readers, scoredByCommand } from "./readers.js";
import { faulty } from "./replies.js";

/** What turns JSON into something like it. */
const fragments = [
  ...[
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "-",
    "e999",
    "0",
    "null",
    "true",
    "\u0000",
    "\ud800",
  ],
  ...[
    '"rating":1,',
    '"present":1,',
    "<think>",
    "</think>",
    "```",
    "NaN",
    '"__proto__":{}',
    "1e-999",
  ],
];
const edits = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(12), fc.constantFrom(...fragments)),
  { minLength: 1, maxLength: 4 },
);
const edited = (text: string, all: readonly (readonly [number, number, string])[]): string =>
  all.reduce((before, [where, length, inserted]) => {
    const at = Math.floor(where * before.length);
    return before.slice(0, at) + inserted + before.slice(at + length);
  }, text);

const anyText = fc.oneof(fc.json(), fc.string(), fc.string({ unit: "binary" }));

/** Any JSON, and what is written as JSON but can't be held by it, in the place of one value. */
const anyLiteral = fc.oneof(
  fc.json(),
  fc.constantFrom("1e999", "-1e999", "1e-999", "-0", '"3"', "[3]", "{}", "9".repeat(400)),
  fc.constantFrom("[".repeat(2000) + "]".repeat(2000), '{"toString":1}', '{"a":1,"a":2}'),
);
const replacing = fc.tuple(fc.nat(200), anyLiteral);

/** A value as JSON, in which one of all the values in it, by its number, is written so. */
function replaced(value: unknown, [number, literal]: readonly [number, string]): string {
  const places: string[] = [];
  const marked = (inner: unknown): unknown => {
    const place = `@${places.length}@`;
    places.push(place);
    if (Array.isArray(inner)) return { [place]: inner.map(marked) };
    if (typeof inner !== "object" || inner === null) return { [place]: inner };
    const members = Object.entries(inner).map(([name, deeper]) => [name, marked(deeper)]);
    return { [place]: Object.fromEntries(members) };
  };
  const tree = marked(value);
  const chosen = places[number % places.length];
  const written = (node: unknown): string => {
    const [[place, inner] = []] = Object.entries(Object(node));
    if (place === chosen) return literal;
    if (Array.isArray(inner)) return `[${inner.map(written).join(",")}]`;
    if (typeof inner !== "object" || inner === null) return JSON.stringify(inner);
    const members = Object.entries(inner).map(
      ([name, deeper]) => `${JSON.stringify(name)}:${written(deeper)}`,
    );
    return `{${members.join(",")}}`;
  };
  return written(tree);
}

/** What a model said or a whole reply: any text in its place, or one value or letter of it another. */
const anyReply = fc.oneof(
  fc.record({ said: anyText }),
  fc.record({ body: anyText }),
  fc.record({ saidReplaced: replacing }),
  fc.record({ bodyReplaced: replacing }),
  fc.record({ saidEdited: edits }),
  fc.record({ bodyEdited: edits }),
);
type AnyReply = typeof anyReply extends fc.Arbitrary<infer Value> ? Value : never;

function replyOf(good: object, any: AnyReply): Response {
  if ("body" in any) return new Response(any.body);
  if ("bodyReplaced" in any) return new Response(replaced(good, any.bodyReplaced));
  if ("bodyEdited" in any) return new Response(edited(JSON.stringify(good), any.bodyEdited));
  const body = JSON.stringify(good, (name, inner) => {
    if (name !== "content" || typeof inner !== "string") return inner;
    if ("said" in any) return any.said;
    if ("saidEdited" in any) return edited(inner, any.saidEdited);
    return inner.startsWith("{") ? replaced(JSON.parse(inner), any.saidReplaced) : inner;
  });
  return new Response(body);
}

const runs = { numRuns: 200 };

test.each(readers)("$name makes of any reply an answer or none, never an error", async (reader) => {
  await fc.assert(
    fc.asyncProperty(anyReply, async (any) => {
      const outcome = await outcomeOf(reader, any);
      if (outcome instanceof NoAnswer) expect(outcome.message).not.toBe("");
      // What is answered can be written: no number is infinite or none.
      else expect(canonicalJson(outcome as Json)).not.toMatch(/undefined/);
    }),
    runs,
  );
});

const outcomeOf = (reader: Reader, any: AnyReply): Promise<unknown> =>
  reader.read(faulty(reader, { reply: (good) => replyOf(good, any) })).catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });

test("a score of any reply is within its range, or unscored", async () => {
  const rating = readers.find(({ name }) => name === "mllm-rating");
  if (rating === undefined) throw new Error("Nobody rates");
  await fc.assert(
    fc.asyncProperty(anyReply, async (any) => {
      const result = await scoredByCommand(faulty(rating, { reply: (good) => replyOf(good, any) }));
      if (result.status === "unscored") expect(result.detail).not.toBe("");
      else expect([1, 2, 3, 4]).toContain(result.value);
    }),
    runs,
  );
});
