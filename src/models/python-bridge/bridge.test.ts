import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { type Answered, Bridge } from "./bridge.js";

const fake = fileURLToPath(new URL("../../../test/support/fake-bridge.mjs", import.meta.url));

/** A bridge whose time is wound by hand. */
async function bridgeOf(
  words: readonly string[] = [],
  processes = 1,
  wordsOf: (place: number) => readonly string[] = () => words,
) {
  const folder = await temporaryDirectory();
  const clock = handClock();
  const bridge = new Bridge({
    commands: Array.from({ length: processes }, (_, place) => ({
      program: process.execPath,
      arguments: [fake, folder, ...wordsOf(place)],
    })),
    inFlight: 8,
    backend: "stub",
    abilities: ["embed-text"],
    clock,
    handshake: 1000,
    load: 5000,
    answer: 2000,
    accept: () => {},
  });
  onTestFinished(() => bridge.close());
  const noted = async (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? (await readFile(path, "utf8")).trim().split("\n") : [];
  };
  /** Waits until the other side has seen so much. */
  const seen = (name: string, count: number) =>
    expect.poll(async () => (await noted(name)).length).toBeGreaterThanOrEqual(count);
  return { bridge, clock, seen, noted };
}

const item = (text: string) => [{ text }];

/** The numbers of the only result. */
const numbersOf = ({ follows }: Answered) =>
  Array.from({ length: follows.length / 8 }, (_, at) => follows.readDoubleLE(8 * at));

test("no answer in time: the process is ended, and what it had is asked again, each alone", async () => {
  const { bridge, clock, seen, noted } = await bridgeOf();
  await bridge.load();
  const hanging = expect(bridge.ask("embed-text", item("hang"))).rejects.toMatchObject({
    name: "NoAnswer",
    reason: "timeout",
    retryable: true,
    message: expect.stringContaining("The bridge to stub gave no answer within 2 seconds"),
  });
  await seen("requests", 2);
  await clock.advance(1999);
  expect(await noted("starts")).toHaveLength(1);
  await clock.advance(1);
  // Asked after it died: it waits until the one that is suspected was asked alone.
  const after = bridge.ask("embed-text", item("ab"));
  await seen("requests", 4);
  await clock.advance(2000);
  await hanging;
  expect(numbersOf(await after)).toEqual([195, 1]);
  expect(await noted("starts")).toHaveLength(3);
});

test("an answer gives the next its whole time", async () => {
  const { bridge, clock, seen, noted } = await bridgeOf();
  await bridge.load();
  await clock.advance(1_000_000);
  await bridge.ask("embed-text", item("a"));
  const hanging = expect(bridge.ask("embed-text", item("hang"))).rejects.toMatchObject({
    reason: "timeout",
  });
  await seen("requests", 3);
  await clock.advance(1999);
  expect(await noted("starts")).toHaveLength(1);
  await clock.advance(1);
  await seen("requests", 5);
  await clock.advance(2000);
  await hanging;
});

test("several processes answer from one line", async () => {
  const { bridge, noted } = await bridgeOf([], 2);
  await bridge.load();
  expect(await noted("starts")).toHaveLength(2);
  const texts = Array.from({ length: 40 }, (_, at) => "x".repeat(at + 1));
  const answers = await Promise.all(texts.map((text) => bridge.ask("embed-text", item(text))));
  expect(answers.map((answer) => numbersOf(answer)[0])).toEqual(
    texts.map(({ length }) => length * 120),
  );
});

test("an answer names the device of the process that gave it, and waits for no other", async () => {
  const { bridge, clock } = await bridgeOf([], 2, (place) => (place === 0 ? ["silent"] : ["card"]));
  expect(await bridge.ask("embed-text", item("a"))).toMatchObject({ facts: { device: "cuda:1" } });
  // The other one is given up, so that the bridge can be closed.
  await clock.advance(1000);
});

test("a process that says nothing is no bridge", async () => {
  const { bridge, clock, seen } = await bridgeOf(["silent"]);
  const loading = expect(bridge.load()).rejects.toMatchObject({
    code: "input",
    message: expect.stringMatching(/\b1 seconds\b/),
  });
  await seen("starts", 1);
  await clock.advance(1000);
  await loading;
});

test("health is asked as all else is", async () => {
  const { bridge } = await bridgeOf();
  expect(await bridge.ask("health")).toMatchObject({ reply: { result: { loaded: true } } });
});
