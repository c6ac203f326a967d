import { expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { readYaml } from "./yaml.js";

/** Nine lists of nine of the one before: a few lines that unfold to 9^9 values. */
const bomb = Array.from({ length: 10 }, (_, level) =>
  level === 0
    ? "a0: &a0 [lol]"
    : `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
).join("\n");

test.each([
  ["aliases that unfold without end", bomb, "with fewer aliases in mine.yaml"],
  ["an alias of nothing", "a: *nowhere", "nowhere"],
  ["a tab for an indent", "a:\n\tb: 1", "Expected YAML in mine.yaml"],
  ["nesting without end", "[".repeat(20_000), "at most 100 members within each other"],
  ["lists in lists without end", "- ".repeat(20_000), "at most 100 members within each other"],
])("%s is the user's to mend", (_case, text, said) => {
  const read = () => readYaml("mine.yaml", text);
  expect(read).toThrow(InputError);
  expect(read).toThrow(said);
});

test("a few aliases are read, and every member has its line", () => {
  const { value, lineOf } = readYaml("mine.yaml", "a: &a\n  b: 1\nc: *a\nd:\n  - 2\n  - 3\n");
  expect(value).toEqual({ a: { b: 1 }, c: { b: 1 }, d: [2, 3] });
  expect([lineOf(["a", "b"]), lineOf(["d", 1]), lineOf(["d", "x"]), lineOf([])]).toEqual([
    2, 6, 5, 1,
  ]);
});
