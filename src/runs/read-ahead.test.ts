import { expect, test } from "vitest";
import { readAhead } from "./read-ahead.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("has so many items ready before they are asked for, and no more, in order", async () => {
  const taken: number[] = [];
  async function* source() {
    for (let item = 0; item < 6; item++) {
      taken.push(item);
      yield item;
    }
  }
  const items = readAhead(source(), 2);
  expect(await items.next()).toEqual({ done: false, value: 0 });
  await turn();
  expect(taken).toEqual([0, 1, 2]);
  const rest: number[] = [];
  for await (const item of items) rest.push(item);
  expect(rest).toEqual([1, 2, 3, 4, 5]);
});

test("throws what the source throws when it is that item's turn", async () => {
  async function* source() {
    yield 1;
    throw new Error("no more");
  }
  const items = readAhead(source(), 4);
  expect((await items.next()).value).toBe(1);
  await expect(items.next()).rejects.toThrow("no more");
});
