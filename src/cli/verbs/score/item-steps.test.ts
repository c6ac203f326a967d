import { expect, test } from "vitest";
import { RecordsInOrder } from "./item-steps.js";

test("records are taken by name, whatever their order; one that is not there ends nothing", async () => {
  async function* records() {
    yield* ["b", "a", "c"];
  }
  const taken = new RecordsInOrder(records(), (record) => record);
  expect(await taken.take("a")).toBe("a");
  expect(await taken.take("missing")).toBeUndefined();
  expect([await taken.take("c"), await taken.take("b")]).toEqual(["c", "b"]);
  await taken.close();
});
