import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { listedCommands } from "../../../test/support/listed-commands.js";
import type { Argument, Arguments } from "../../core/options.js";
import { findCommand } from "../main.js";
import { verbs } from "../verbs.js";
import { argumentWords } from "./argument-words.js";
import { invocationOf, sharedArguments } from "./command.js";
import { parseArguments } from "./parse-arguments.js";
import { shellWords, wordsOf } from "./shell-words.js";

const declared = {
  input: { kind: "positional", description: "a file" },
  metric: { kind: "text", repeated: true, description: "a metric" },
  seed: { kind: "number", integer: true, default: 0, description: "a seed" },
  level: { kind: "number", description: "a level" },
  quiet: { kind: "switch", description: "say less" },
} as const satisfies Arguments;
const usual = { input: "a.csv", metric: [], seed: 0, level: undefined, quiet: false };

describe("argumentWords", () => {
  it("leaves defaults out", () => {
    expect(argumentWords(declared, usual)).toEqual(["a.csv"]);
  });

  it("puts flags behind, in the order of declaration", () => {
    const given = { quiet: true, seed: 3, metric: ["b", "a"], level: -0.5, input: "-" };
    expect(argumentWords(declared, given)).toEqual([
      "-",
      "--metric",
      "b",
      "--metric",
      "a",
      "--seed",
      "3",
      "--level",
      "-0.5",
      "--quiet",
    ]);
  });

  it("keeps a word with a dash in front from being a flag", () => {
    const words = argumentWords(declared, { ...usual, input: "--quiet", metric: ["-h"] });
    expect(words).toEqual(["--metric=-h", "--", "--quiet"]);
    expect(parseArguments(words, declared, "score")).toEqual({
      ...usual,
      input: "--quiet",
      metric: ["-h"],
    });
  });
});

/** Any value that the command line can give to an argument. */
function anyValue(argument: Argument): fc.Arbitrary<unknown> {
  if (argument.kind === "switch") return fc.boolean();
  if (argument.kind === "positional") {
    return argument.repeated === true
      ? fc.array(fc.string(), { minLength: argument.optional === true ? 0 : 1, maxLength: 3 })
      : fc.string();
  }
  const one = anyOne(argument);
  if (argument.repeated === true) {
    const several = fc.array(one, { minLength: argument.required === true ? 1 : 0, maxLength: 3 });
    const usually = argument.default;
    return usually === undefined
      ? several
      : several.map((values) => (values.length === 0 ? [usually] : values));
  }
  if (argument.default !== undefined) return fc.oneof(fc.constant(argument.default), one);
  return argument.required === true ? one : fc.option(one, { nil: undefined });
}

function anyOne(
  argument: Exclude<Argument, { kind: "switch" | "positional" }>,
): fc.Arbitrary<string | number> {
  if (argument.kind === "choice") return fc.constantFrom(...argument.choices);
  if (argument.kind === "text") {
    return fc.oneof(fc.string(), fc.constantFrom("-", "--", "--json", "-h", "-1", "a b", "it's"));
  }
  const { minimum: min, maximum: max } = argument;
  const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  return argument.integer === true
    ? fc.integer({ min: Math.ceil(min ?? -1e9), max: Math.floor(max ?? 1e9) })
    : fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
}

/** Of words without a flag the first can be left out only if the later ones are. */
function anyGiven(declaration: Arguments): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(declaration);
  const values = fc.record(
    Object.fromEntries(entries.map(([name, argument]) => [name, anyValue(argument)])),
  );
  const optional = entries
    .filter(([, argument]) => argument.kind === "positional" && argument.optional === true)
    .filter(([, argument]) => !("repeated" in argument))
    .map(([name]) => name);
  return fc.tuple(values, fc.nat(optional.length)).map(([given, kept]) => ({
    ...given,
    ...Object.fromEntries(optional.slice(kept).map((name) => [name, undefined])),
  }));
}

// What is not used of an invocation.
const unused = undefined as never;

describe.each(await listedCommands(verbs))("$path", ({ path: name, command }) => {
  const all: Arguments = { ...command.arguments, ...sharedArguments };

  test("reads its own words as what was given", async () => {
    await fc.assert(
      fc.asyncProperty(anyGiven(all), fc.subarray(Object.keys(all)), async (given, inFull) => {
        // The values are such as the declaration allows.
        const known = given as never;
        const { words } = invocationOf(
          { name, command },
          { given: known, environment: unused, output: unused },
        );
        const line = shellWords(words(known, inFull));
        const { name: found, rest } = await findCommand(wordsOf(line), {
          description: "",
          examples: ["touchstone"],
          verbs,
        });
        expect(found).toBe(name);
        expect(parseArguments(rest, all, name)).toEqual(given);
      }),
      { numRuns: 30 },
    );
  });
});
