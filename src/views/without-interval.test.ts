import { expect, test } from "vitest";
import { withoutInterval } from "../conclusions/conclusion.js";

test("numbers without an interval are counted by reason, however deep they stand", () => {
  const bare = (reason: string) => ({ value: 1, low: null, high: null, reason });
  expect(
    withoutInterval({
      a: bare("no interval from one row"),
      b: { c: [bare("no interval from one row")] },
      d: bare("no interval: it is so"),
      e: { ...bare("no interval: it is so"), oneSided: { low: 0.5, high: 1 } },
      f: { value: null, low: null, high: null, reason: "no row" },
      g: { value: 1, low: 0, high: 2 },
    }),
  ).toEqual(["2 estimates have no interval from one row", "1 estimate has no interval: it is so"]);
});
