import { expect, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import {
  type Behaviour,
  completion,
  misbehavingServer,
} from "../../../test/support/misbehaving-server.js";
import type { ChatModel } from "../../core/models.js";
import { openAiCompatible } from "../openai-compatible/openai-compatible.js";

const good: Behaviour = { kind: "reply", json: completion() };
const refusal = (message: string, status = 400): Behaviour => ({
  kind: "raw",
  status,
  text: JSON.stringify({ error: { message } }),
});

/** A model behind a server that behaves by the number of the item that it is asked about. */
async function modelBehind(behave: (item: number, call: number) => Behaviour, concurrency = 16) {
  const clock = handClock();
  const server = await misbehavingServer({
    behave: ({ body }, call) =>
      behave(Number(/item (\d+)/.exec(JSON.stringify(body))?.[1] ?? Number.NaN), call),
  });
  const { baseUrl } = server;
  const model = openAiCompatible("tiny", {
    baseUrl,
    clock,
    limits: { concurrency },
    // Time is wound on faster than the server can answer.
    timeOuts: { total: 1e12, stall: 1e12 },
  });
  return { model, server, clock };
}

const ask = (model: ChatModel, item: number) =>
  model.chat({ messages: [{ role: "user", parts: [{ type: "text", text: `item ${item}` }] }] });

/** Asks about so many items at once, while time goes on. */
async function askAll(
  { model, clock }: Pick<Awaited<ReturnType<typeof modelBehind>>, "model" | "clock">,
  items: number,
) {
  let isSettled = false;
  const plan = Promise.allSettled(Array.from({ length: items }, (_, at) => ask(model, at)));
  void plan.then(() => {
    isSettled = true;
  });
  while (!isSettled) await clock.advance(1000);
  return (await plan).map((outcome) =>
    outcome.status === "fulfilled" ? outcome.value.text : outcome.reason,
  );
}

test("what refuses every item alike ends the work, whatever its words", async () => {
  const behind = await modelBehind((item) => refusal(`Guthaben leer (Vorgang ${item})`));
  const outcomes = await askAll(behind, 300);
  expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(["incomplete"]));
  expect(outcomes[299]).toMatchObject({ message: expect.stringContaining("Guthaben leer") });
  // No more than were under way.
  expect(behind.server.received.length).toBeLessThanOrEqual(32);
});

test("so does what begins in the middle; what was answered by then stands", async () => {
  const behind = await modelBehind((_, call) => (call < 10 ? good : refusal("Guthaben leer")), 4);
  const outcomes = await askAll(behind, 100);
  const answered = outcomes.filter((outcome) => outcome === "Yes");
  expect(answered).toHaveLength(10);
  expect(outcomes.at(-1)).toMatchObject({ code: "incomplete" });
  expect(behind.server.received.length).toBeLessThan(40);
});

test("refusals of some items beside answers of others are the items' own, however many come first", async () => {
  const isUnwelcome = (item: number) => item < 12 || item % 3 === 0;
  const behind = await modelBehind((item) => (isUnwelcome(item) ? refusal("too large") : good));
  const outcomes = await askAll(behind, 30);
  for (const [item, outcome] of outcomes.entries()) {
    if (!isUnwelcome(item)) expect(outcome).toBe("Yes");
    else expect(outcome).toMatchObject({ reason: "bad-input", retryable: false });
  }
});

test("many alike in a row end nothing while an item that was answered before is answered again", async () => {
  const behind = await modelBehind((item) => (item < 3 ? good : refusal("too large")), 1);
  for (const item of [0, 1, 2]) await ask(behind.model, item);
  const outcomes = await askAll(behind, 30);
  expect(outcomes.slice(0, 3)).toEqual(["Yes", "Yes", "Yes"]);
  for (const outcome of outcomes.slice(3)) expect(outcome).toMatchObject({ reason: "bad-input" });
});

test("refusals that differ end nothing", async () => {
  const words = "these are not the words that others have".split(" ");
  const behind = await modelBehind((item) => refusal(words.slice(0, item + 1).join(" ")));
  const outcomes = await askAll(behind, words.length);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: "bad-input" });
});

test("what a filter declines ends nothing, however often", async () => {
  const behind = await modelBehind(() => refusal("content policy"));
  for (const outcome of await askAll(behind, 40))
    expect(outcome).toMatchObject({ reason: "refused" });
});

test.each<[string, Behaviour]>([
  ["a key refused as 400", refusal("API key not valid")],
  ["a key refused as 401", refusal("no", 401)],
  ["a model that is not there", refusal("no", 404)],
])("after %s calls that wait are given up, and those under way are kept", async (_, behaviour) => {
  const { model, server } = await modelBehind((item) => (item === 0 ? behaviour : good), 1);
  const [refused, next, ...waiting] = await Promise.all(
    [0, 1, 2, 3].map((item) => ask(model, item).catch((error: unknown) => error)),
  );
  expect(refused).toMatchObject({ name: "InputError" });
  for (const one of waiting) expect(one).toBe(refused);
  // The next may have gone out before the refusal was read.
  expect(next === refused || server.received.length === 2).toBe(true);
});

test.each<[string, Behaviour]>([
  ["500", refusal("CUDA error", 500)],
  ["a closed connection", { kind: "reset" }],
])("items that are answered with %s each time leave the others as they are", async (_, poison) => {
  for (const isPoisonous of [
    (item: number) => item % 10 === 0,
    // As many as would make a provider look down, at the end, where none is answered between.
    (item: number) => item >= 18,
  ]) {
    const behind = await modelBehind((item) => (isPoisonous(item) ? poison : good));
    const outcomes = await askAll(behind, 30);
    for (const [item, outcome] of outcomes.entries()) {
      if (isPoisonous(item))
        expect(outcome).toMatchObject({ reason: "provider-error", retryable: true });
      else expect(outcome).toBe("Yes");
    }
  }
});

test("a provider that goes down in the middle is waited for, then left, and asked a known item", async () => {
  const behind = await modelBehind((_, call) => (call < 20 ? good : refusal("down", 503)));
  const outcomes = await askAll(behind, 200);
  expect(outcomes.filter((outcome) => outcome === "Yes")).toHaveLength(20);
  expect(outcomes.at(-1)).toMatchObject({ code: "incomplete" });
  expect(behind.server.received.length).toBeLessThan(80);
  const last = JSON.stringify(behind.server.received.at(-1)?.body);
  const item = Number(/item (\d+)/.exec(last)?.[1]);
  expect(outcomes[item]).toBe("Yes");
});
