import { expect, it, test } from "vitest";
import { fakeEnvironment } from "../../test/support/fake-environment.js";
import { InputError } from "../core/errors.js";
import { redact, reportError } from "./report-error.js";

function reported(
  error: unknown,
  {
    isTerminal = true,
    columns = 100,
    variables = { NO_COLOR: "1" } as Record<string, string>,
  } = {},
): string[] {
  const environment = fakeEnvironment({ isTerminal, variables });
  const stderr = { ...environment.stderr, columns };
  reportError(error, { environment: { ...environment, stderr }, json: false, debug: false });
  return environment.written.stderr.trimEnd().split("\n");
}

const long = "Expected this and that ".repeat(8).trim();
const words = (lines: readonly string[]) => lines.join(" ").split(/\s+/);

test("message, problems and hint are wrapped at the terminal's width, at most at 100", () => {
  const error = new InputError(long, { problems: [`line 1: ${long}`], hint: long });
  for (const [columns, widest] of [
    [60, 60],
    [100, 100],
    [240, 100],
  ] as const) {
    const lines = reported(error, { columns });
    const lengths = lines.map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(widest);
    expect(Math.max(...lengths)).toBeGreaterThan(widest - 10);
    expect(words(lines)).toEqual(words([`Error: ${long}`, `  - line 1: ${long}`, long]));
  }
  const problem = reported(error).findIndex((line) => line.startsWith("  - line 1: "));
  expect(reported(error)[problem + 1]).toMatch(/^ {4}\S/);
});

test("what is no terminal gets each sentence in one line", () => {
  const error = new InputError(long, { problems: [`line 1: ${long}`], hint: long });
  const lines = reported(error, { isTerminal: false, columns: 60 });
  expect(lines).toEqual([`Error: ${long}`, `  - line 1: ${long}`, long]);
});

test("colours cost no width", () => {
  const message = `${"x".repeat(46)} ${"y".repeat(46)}`;
  expect(reported(new InputError(message), { variables: {} })).toHaveLength(1);
});

test("command lines stay whole", () => {
  const command = `touchstone score ${"a-long-name/".repeat(8)} --out scores.jsonl`;
  const indented = reported(new InputError("No", { hint: `Two ways:\n       ${command}` }));
  expect(indented.at(-1)).toBe(`       ${command}`);
  const atTheEnd = reported(new InputError("No", { hint: `Then go on with it: ${command}` }));
  expect(atTheEnd.slice(1)).toEqual(["Then go on with it:", `  ${command}`]);
  const short = reported(new InputError("No", { hint: "See: touchstone score --help" }));
  expect(short.at(-1)).toBe("See: touchstone score --help");
});

const variables = {
  OPENAI_API_KEY: "sk-abcdef",
  LONGER_TOKEN: "sk-abcdef-and-more",
  SHORT_KEY: "1",
  EMPTY_KEY: "",
  PLACE: "somewhere else",
};

it("names a secret in place of its value, the longer one first", () => {
  expect(redact("with sk-abcdef-and-more and sk-abcdef in somewhere else", variables)).toBe(
    "with [LONGER_TOKEN] and [OPENAI_API_KEY] in somewhere else",
  );
});

it("leaves a text alone that holds none", () => {
  expect(redact("1 of 10 images", variables)).toBe("1 of 10 images");
});
