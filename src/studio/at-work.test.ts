import { expect, test } from "vitest";
import { atWork } from "./at-work.js";

test("who was not heard of for long is told apart, and who says nothing of it is not", () => {
  const workers = [
    { id: "1", who: "process 7 of mill" },
    { id: "2", who: "process 8 of mill", silentFor: 4.2 },
    { id: "3", who: "process 9 of barn", silentFor: 21.7 },
  ];
  expect(atWork(workers)).toEqual({
    atWork: ["process 7 of mill", "process 8 of mill", "process 9 of barn"],
    silent: [{ who: "process 9 of barn", seconds: 22 }],
  });
});
