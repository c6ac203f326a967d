import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import { parseArguments } from "./parse-arguments.js";

const declared = {
  input: { kind: "positional", description: "a file" },
  second: { kind: "positional", description: "another", optional: true },
  metric: { kind: "text", repeated: true, description: "a metric" },
  out: { kind: "text", value: "FILE", description: "where to" },
  seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "a seed" },
  level: { kind: "number", minimum: 0, maximum: 1, description: "a level" },
  size: { kind: "choice", choices: ["small", "full"], default: "full", description: "how much" },
  quiet: { kind: "switch", description: "say less" },
} as const satisfies Arguments;

const parse = (...words: string[]) => parseArguments(words, declared, "score");

function refusal(...words: string[]): InputError {
  try {
    parse(...words);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("Expected a refusal");
}

describe("parseArguments", () => {
  it("gives the declared arguments and defaults", () => {
    expect(parse("a.csv")).toEqual({
      input: "a.csv",
      second: undefined,
      metric: [],
      out: undefined,
      seed: 0,
      level: undefined,
      size: "full",
      quiet: false,
    });
  });

  it("reads flags in both spellings, repeated, and in any order", () => {
    const words = ["--metric", "a", "x", "--metric=b=c", "--quiet", "--seed", "7", "--size=small"];
    expect(parse(...words, "y")).toMatchObject({
      input: "x",
      second: "y",
      metric: ["a", "b=c"],
      seed: 7,
      size: "small",
      quiet: true,
    });
  });

  it("takes a flag in a word's place where one is declared", () => {
    const run = { kind: "positional", flags: ["run"], description: "a run" } as const;
    const read = (...words: string[]) => parseArguments(words, { study: run }, "serve");
    expect(read("first")).toEqual({ study: "first" });
    expect(read("--run", "first")).toEqual({ study: "first" });
    expect(() => read("first", "--run", "second")).toThrow('but also received "first"');
    expect(() => read()).toThrow("Expected STUDY for serve");
  });

  it("takes another word for a choice where one is declared", () => {
    const size = { ...declared.size, also: { tiny: "small" } } as const;
    expect(parseArguments(["--size", "tiny"], { size }, "score")).toEqual({ size: "small" });
    expect(() => parseArguments(["--size", "toString"], { size }, "score")).toThrow(InputError);
    expect(refusal("x", "--size", "tiny").message).toContain("Expected one of small, full");
  });

  it("takes - as standard input, negative numbers as values, all after -- as words", () => {
    const noMinimum = { by: { kind: "number", description: "by" } } as const satisfies Arguments;
    expect(parseArguments(["--by", "-3.5"], noMinimum, "move")).toEqual({ by: -3.5 });
    expect(parse("-").input).toBe("-");
    expect(parse("--", "--metric").input).toBe("--metric");
    expect(parse("x", "--out=-x").out).toBe("-x");
  });

  it.each([
    [["x", "--metrc", "a"], "Unknown flag --metrc for score", "Did you mean --metric?"],
    [["x", "--metrc=a"], "Unknown flag --metrc for score", "Did you mean --metric?"],
    [["x", "-q"], "Unknown flag -q for score", "touchstone score --help"],
    [["x", "--toString", "1"], "Unknown flag --toString for score", "touchstone score --help"],
    [["x", "--out"], "Expected a value for --out but received nothing", "--out FILE"],
    [["x", "--out", "--quiet"], 'Expected a value for --out but received "--quiet"', "--out FILE"],
    [["x", "--out", "a", "--out", "b"], "Expected --out once but received it twice", ""],
    [["x", "--quiet=no"], 'Expected no value for --quiet but received "no"', ""],
    [["x", "y", "z"], 'Expected at most 2 arguments for score but also received "z"', "--help"],
    [[], "Expected INPUT for score but received nothing", "INPUT: a file"],
    [
      ["x", "--size", "smal"],
      'Expected one of small, full for --size but received "smal"',
      "Did you mean small?",
    ],
    [["x", "--seed", "1.5"], "Expected a whole number from 0 for --seed", ""],
    [["x", "--seed", "-1"], 'Expected a whole number from 0 for --seed but received "-1"', ""],
    [["x", "--seed="], 'for --seed but received ""', ""],
    [["x", "--seed", "1e999"], 'for --seed but received "1e999"', ""],
    [["x", "--level", "NaN"], "Expected a number from 0 to 1 for --level", ""],
  ])("refuses %j", (words, message, hint) => {
    const error = refusal(...words);
    expect(error.message).toContain(message);
    expect(error.hint ?? "").toContain(hint);
  });

  it("asks for a flag that is required", () => {
    const one = { image: { kind: "text", required: true, description: "an image" } } as const;
    expect(() => parseArguments([], one, "score")).toThrow("Expected --image for score");
    expect(parseArguments(["--image", "a.png"], one, "score")).toEqual({ image: "a.png" });
  });
});
