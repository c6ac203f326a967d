import { expect, test } from "vitest";
import type { AnyRecord } from "../../../core/records.js";
import type { Records } from "../../../core/step.js";
import { scriptedChat } from "../../../testing/scripted-chat.js";
import { answerersIn, onlyCalibrated } from "./other-model.js";

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
  answerersIn(recordsOf(...all), { model, isAllowed });

test("the models that answered in place of the one asked", async () => {
  expect(await answerers(false, judgment(), judgment(["other"], "test:another"))).toEqual([]);
  expect(await answerers(false, judgment(["other"]), judgment(["other"]))).toEqual(["other"]);
});

test("a judge is fitted to the answers of one model, unless others are allowed", async () => {
  const mixed = [judgment(), judgment(["other"])];
  await expect(answerers(false, ...mixed)).rejects.toMatchObject({ code: "incomplete" });
  expect(await answerers(true, ...mixed)).toEqual(["other"]);
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
  );
  const asked = judging.chat({ messages: [] });
  if (isTaken) expect((await asked).text).toBe("A");
  else await expect(asked).rejects.toMatchObject({ code: "input" });
});
