import { expect, test } from "vitest";
import type { AnyRecord } from "../../../core/records.js";
import type { Records } from "../../../core/step.js";
import { scriptedChat } from "../../../testing/fake-models.js";
import { answererIn, onlyCalibrated } from "./other-model.js";

const { model } = scriptedChat();
const judgment = (answeredBy?: readonly string[], name = "test:parrot") => ({
  type: "judgment",
  status: "done",
  model: name,
  ...(answeredBy && { answeredBy }),
});
const recordsOf = (...all: readonly object[]): Records => ({
  // As much of a record as is looked at.
  async *ofType(type) {
    for (const one of all as AnyRecord[]) if (one.type === type) yield one as never;
  },
});
const answerers = (isAllowed: boolean, ...all: readonly object[]) =>
  answererIn(recordsOf(...all), { model, isAllowed });

test("the models that answered in place of the one asked", async () => {
  expect(await answerers(false, judgment(), judgment(["other"], "test:another"))).toMatchObject({
    answeredBy: [],
  });
  expect(await answerers(false, judgment(["other"]), judgment(["other"]))).toEqual({
    answeredBy: ["other"],
    snapshots: [],
  });
});

test("a judge is fitted to the answers of one model, unless others are allowed", async () => {
  const mixed = [judgment(), judgment(["other"])];
  await expect(answerers(false, ...mixed)).rejects.toMatchObject({ code: "incomplete" });
  expect(await answerers(true, ...mixed)).toMatchObject({ answeredBy: ["other"] });
});

test("a judge is fitted to snapshots of one model, and names them", async () => {
  const mixed = ["parrot-2024-02-01", "parrot-2024-01-01", undefined].map((name) => ({
    ...judgment(),
    ...(name && { snapshots: [name] }),
  }));
  expect(await answerers(false, ...mixed)).toEqual({
    answeredBy: [],
    snapshots: ["parrot-2024-01-01", "parrot-2024-02-01"],
  });
});

test("another snapshot than was calibrated is taken, and told of once", async () => {
  const told: string[] = [];
  const reply = { text: "A", snapshot: "parrot-2025-01-01" };
  const { model: parrot } = scriptedChat(reply, reply, reply, reply);
  const judging = (...snapshots: readonly string[]) =>
    onlyCalibrated(parrot, { snapshots: [...snapshots] }, (text) => told.push(text));
  for (const judge of [judging(), judging("parrot-2025-01-01")]) await judge.chat({ messages: [] });
  expect(told).toEqual([]);
  const judge = judging("parrot-2024-01-01");
  for (const _ of [1, 2]) expect((await judge.chat({ messages: [] })).text).toBe("A");
  expect(told).toEqual([expect.stringContaining("parrot-2025-01-01 answers")]);
});

test.each([
  [undefined, undefined, true],
  [["parrot-2"], "parrot-2", true],
  [undefined, "parrot-2", false],
  [["parrot-2"], undefined, false],
  [["parrot-2"], "parrot-3", false],
])("calibrated with %j, answered by %s: %s", async (calibrated, answeredBy, isTaken) => {
  const reply = { text: "A", ...(answeredBy === undefined ? {} : { answeredBy }) };
  const judging = onlyCalibrated(
    scriptedChat(reply).model,
    calibrated === undefined ? {} : { answeredBy: calibrated },
    () => {},
  );
  const asked = judging.chat({ messages: [] });
  if (isTaken) expect((await asked).text).toBe("A");
  else await expect(asked).rejects.toMatchObject({ code: "input" });
});
