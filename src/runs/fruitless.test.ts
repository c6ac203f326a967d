import { expect, test } from "vitest";
import { IncompleteError, InputError } from "../core/errors.js";
import { type Failed, Fruitless } from "./fruitless.js";

const failed = (reason: Failed["reason"], detail = "no token", wasCalled = true) => ({
  reason,
  detail,
  wasCalled,
});

/** After how many of the same failures the work ends; `undefined` where it goes on. */
function endsAfter(failure: Failed, fruitless = new Fruitless("Step a", { hint: "Mend it" })) {
  for (let count = 1; count <= 100; count++) {
    try {
      fruitless.failed(failure);
    } catch (error) {
      return { count, error };
    }
  }
  return undefined;
}

test("the twentieth item that a model was asked about in vain ends the work, with the commonest detail", () => {
  const fruitless = new Fruitless("Step a", { hint: "Mend it" });
  for (let at = 0; at < 5; at++) fruitless.failed(failed("unparsable", "The reply is empty"));
  const end = endsAfter(failed("unparsable", 'Expected Yes but received "3"'), fruitless);
  expect(end?.count).toBe(15);
  expect(end?.error).toBeInstanceOf(IncompleteError);
  expect(end?.error).toMatchObject({ message: expect.stringContaining('received "3"') });
  expect(endsAfter(failed("bad-input"))?.error).toBeInstanceOf(InputError);
});

test("an answer, before or between, says that the others failed for what they are", () => {
  const before = new Fruitless("Step a", { hint: "", hasAnswer: true });
  expect(endsAfter(failed("timeout"), before)).toBeUndefined();
  const between = new Fruitless("Step a", { hint: "" });
  for (let at = 0; at < 19; at++) between.failed(failed("timeout"));
  between.answered();
  expect(endsAfter(failed("timeout"), between)).toBeUndefined();
});

test("a refusal is an answer; what was found out without a call costs nothing", () => {
  expect(endsAfter(failed("refused"))).toBeUndefined();
  expect(endsAfter(failed("budget"))).toBeUndefined();
  expect(endsAfter(failed("not-applicable", "It names no entity", false))).toBeUndefined();
});

test("a model that has shown what it lacks counts without being called again", () => {
  const fruitless = new Fruitless("Step a", { hint: "" });
  fruitless.failed(failed("not-applicable", "It gives no log-probabilities"));
  const more = failed("not-applicable", "It gives no log-probabilities", false);
  expect(endsAfter(more, fruitless)?.count).toBe(19);
});
