import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { AnyRecord } from "../core/records.js";
import type { RunEvent } from "../core/step.js";
import { type Performed, RecordsToKeep } from "./keep-records.js";

const performed = (key: string, traced?: Promise<unknown>): Performed => ({
  record: { key } as unknown as AnyRecord,
  spent: { cost: 0, cached: false, calls: 0, unpriced: 0, forecast: 0 },
  wasCalled: false,
  isInstant: false,
  traced,
});

const free = { mayCost: false };
const dear = { mayCost: true };

const keysOf = (records: readonly AnyRecord[]) => records.map(({ key }) => String(key)).join("");

test("those that come while others are written are kept together, in their order, then told of", async () => {
  const written: string[] = [];
  const told: string[] = [];
  const keeping = new RecordsToKeep("ask", {
    stored: { append: async (records) => void written.push(keysOf(records)) },
    onEvent: (event: RunEvent) => {
      if (event.kind === "record") told.push(`${event.record.key} of ${written.join(",")}`);
    },
  });
  expect(keeping.add(performed("a"), free)).toBe(undefined);
  expect(keeping.add(performed("b"), free)).toBe(undefined);
  await keeping.add(performed("c"), dear);
  keeping.add(performed("d"), free);
  await keeping.end();
  expect(written).toEqual(["abc", "d"]);
  expect(told).toEqual(["a of abc", "b of abc", "c of abc", "d of abc,d"]);
});

test("instant ones gather until there are 256, one that was not instant comes, or the end", async () => {
  const written: number[] = [];
  const keeping = new RecordsToKeep("ask", {
    stored: { append: async (records) => void written.push(records.length) },
    onEvent: () => {},
  });
  const instant = { ...performed("a"), isInstant: true };
  for (let at = 0; at < 255; at++) keeping.add(instant, free);
  await setTimeout(0);
  expect(written).toEqual([]);
  keeping.add(instant, free);
  await setTimeout(0);
  expect(written).toEqual([256]);
  keeping.add(instant, free);
  await keeping.add(performed("b"), dear);
  expect(written).toEqual([256, 2]);
  keeping.add(instant, free);
  await keeping.end();
  expect(written).toEqual([256, 2, 1]);
});

test("at the 512th that is not written the disk is waited for", async () => {
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const keeping = new RecordsToKeep("ask", {
    stored: { append: () => blocked },
    onEvent: () => {},
  });
  const waits = Array.from({ length: 512 }, (_, at) => keeping.add(performed(String(at)), free));
  expect(waits.slice(0, 511)).toEqual(new Array(511).fill(undefined));
  expect(waits[511]).toBeInstanceOf(Promise);
  release();
  await keeping.end();
});

test("a failure reaches who waits, who comes after, and the end", async () => {
  const told: RunEvent[] = [];
  const keeping = new RecordsToKeep("ask", {
    stored: { append: () => Promise.reject(new Error("no space")) },
    onEvent: (event) => told.push(event),
  });
  await expect(keeping.add(performed("a"), dear)).rejects.toThrow("no space");
  await expect(keeping.add(performed("b"), dear)).rejects.toThrow("no space");
  await expect(keeping.end()).rejects.toThrow("no space");
  expect(told).toEqual([]);
});

test("a trace that can't be written while records before it are is a failure like any other", async () => {
  const isWritten = setTimeout(10);
  const keeping = new RecordsToKeep("ask", { stored: { append: () => isWritten }, onEvent() {} });
  const first = keeping.add(performed("a"), dear);
  await Promise.resolve();
  const others = ["b", "c"].map((key) =>
    keeping.add(performed(key, Promise.reject(new Error(`no space for ${key}`))), dear),
  );
  await first;
  for (const other of others) await expect(other).rejects.toThrow("no space for b");
  await expect(keeping.end()).rejects.toThrow("no space for b");
});
