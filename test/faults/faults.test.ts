import { describe, expect, test } from "vitest";
import { TouchstoneError } from "../../src/core/errors.js";
import { NoAnswer, unscoredReasons } from "../../src/core/unscored.js";
import { type Reader, readers } from "./readers.js";
import { endings, type Fault, faults, faulty } from "./replies.js";

const outcomeOf = (reader: Reader, fault: Pick<Fault, "reply">): Promise<unknown> =>
  reader.read(faulty(reader, fault)).catch((error: unknown) => error);

const sound = { reply: (good: object) => Response.json(good) };
const isJsonReader = ({ good }: Reader) => /"content":"\{/.test(JSON.stringify(good("")));

test("there are many faults, each with a name of its own", () => {
  expect(faults.length).toBeGreaterThan(60);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

describe.each(readers)("$name", (reader) => {
  test("makes of each faulty reply the right answer, or none with a reason", async () => {
    const right = await outcomeOf(reader, sound);
    expect(right).not.toBeInstanceOf(Error);
    const wrong: unknown[] = [];
    for (const fault of faults) {
      const { name, stillSays } = fault;
      const outcome = await outcomeOf(reader, fault);
      const isRead = stillSays === "all" || (stillSays === "json" && isJsonReader(reader));
      const isRight = isAlike(outcome, right) || (!isRead && isUnscored(outcome));
      if (!isRight) wrong.push([name, outcome]);
    }
    expect(wrong).toEqual([]);
  });

  test("ends the work where no other item would fare better", async () => {
    for (const fault of endings) {
      expect(await outcomeOf(reader, fault), fault.name).toBeInstanceOf(TouchstoneError);
    }
  });
});

const isUnscored = (outcome: unknown): boolean =>
  outcome instanceof NoAnswer &&
  unscoredReasons.includes(outcome.reason) &&
  outcome.message.length > 10 &&
  outcome.message.length < 5000;

/** Equal but for rounding. */
function isAlike(outcome: unknown, right: unknown): boolean {
  try {
    expect(outcome).toEqual(roughly(right));
    return true;
  } catch {
    return false;
  }
}

function roughly(value: unknown): unknown {
  if (typeof value === "number") return expect.closeTo(value, 9);
  if (Array.isArray(value)) return value.map(roughly);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, roughly(inner)]));
}
