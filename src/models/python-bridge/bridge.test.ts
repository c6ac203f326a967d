import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { Bridge } from "./bridge.js";

const fake = fileURLToPath(new URL("../../../test/support/fake-bridge.mjs", import.meta.url));

/** A bridge whose time is wound by hand. */
async function bridgeOf(...words: string[]) {
  const folder = await temporaryDirectory();
  const clock = handClock();
  const bridge = new Bridge({
    command: { program: process.execPath, arguments: [fake, folder, ...words] },
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

test("no answer in time: the process is ended, and what stood behind is asked again", async () => {
  const { bridge, clock, seen, noted } = await bridgeOf();
  await bridge.load();
  const hanging = expect(bridge.ask("embed-text", item("hang"))).rejects.toMatchObject({
    name: "NoAnswer",
    reason: "timeout",
    retryable: true,
    message: "The bridge to stub gave no answer within 2 seconds",
  });
  const behind = bridge.ask("embed-text", item("hang"));
  const after = bridge.ask("embed-text", item("ab"));
  await seen("requests", 3);
  await clock.advance(1999);
  expect(await noted("starts")).toHaveLength(1);
  await clock.advance(1);
  await hanging;
  // The second hangs, too, and has all its time once more.
  const alsoHanging = expect(behind).rejects.toMatchObject({ reason: "timeout" });
  await seen("requests", 6);
  await clock.advance(2000);
  await alsoHanging;
  expect(await after).toMatchObject({ results: [{ value: [195, 1] }] });
});

test("an answer gives the next its whole time", async () => {
  const { bridge, clock, seen } = await bridgeOf();
  await bridge.load();
  await clock.advance(1_000_000);
  const first = bridge.ask("embed-text", item("a"));
  const second = bridge.ask("embed-text", item("hang"));
  const hanging = expect(second).rejects.toMatchObject({ reason: "timeout" });
  await first;
  await seen("requests", 3);
  await clock.advance(1999);
  const isOpen = await Promise.race([second.catch(() => false), Promise.resolve(true)]);
  expect(isOpen).toBe(true);
  await clock.advance(1);
  await hanging;
});

test("a process that says nothing is no bridge", async () => {
  const { bridge, clock, seen } = await bridgeOf("silent");
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
  expect(await bridge.ask("health")).toMatchObject({ result: { loaded: true } });
});
