import { expect, it } from "vitest";
import { type Arguments, givenOf } from "../../core/options.js";
import { argumentWords } from "./argument-words.js";
import { parseArguments } from "./parse-arguments.js";

const declared = {
  file: { kind: "positional", description: "a file" },
  map: { kind: "text", repeated: true, description: "names" },
  scale: { kind: "choice", choices: ["ordinal", "nominal"], required: true, description: "scale" },
  seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "seed" },
  wide: { kind: "switch", description: "wide" },
} as const satisfies Arguments;

it("gives what the same words give on a command line", () => {
  const filled = {
    file: "a.csv",
    map: ["a=b", "c=d"],
    scale: "nominal",
    seed: "3",
    wide: true,
  };
  const given = givenOf(filled, declared, "v");
  expect(given).toEqual({ ...filled, seed: 3 });
  expect(parseArguments(argumentWords(declared, given), declared, "v")).toEqual(given);
  const least = givenOf({ file: "a.csv", map: [], scale: "ordinal", seed: "" }, declared, "v");
  expect(parseArguments(["a.csv", "--scale", "ordinal"], declared, "v")).toEqual(least);
});

it.each([
  [{ file: "a.csv" }, "Expected --scale for v but it was not given"],
  [{ file: "a.csv", scale: "x" }, "Expected one of ordinal, nominal for --scale"],
  [{ file: "a.csv", scale: "ordinal", seed: "-1" }, "Expected a whole number from 0 for --seed"],
  [{ scale: "ordinal" }, "Expected FILE for v but received nothing"],
])("refuses what a command line refuses: %j", (filled, message) => {
  expect(() => givenOf(filled, declared, "v")).toThrow(message);
});
