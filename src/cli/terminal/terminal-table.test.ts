import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { table } from "./terminal-table.js";
import { displayWidth } from "./wrap.js";

describe("table", () => {
  it("aligns words to the left and numbers to the right", () => {
    const text = table(
      [{ title: "metric" }, { title: "n", align: "right" }],
      [
        ["clip-score", "900"],
        ["vqa", "1"],
      ],
      100,
    );
    expect(text).toBe(
      ["metric        n", "----------  ---", "clip-score  900", "vqa           1"].join("\n"),
    );
  });

  it("wraps words, then leaves out the last columns and names them; numbers are never cut", () => {
    const columns = [
      { title: "prompt" },
      { title: "score", align: "right" },
      { title: "range of all scores", align: "right" },
    ] as const;
    const row = ["an animal with two stalks ".repeat(3).trim(), "0.716 [0.690, 0.741]", "[0, 100]"];
    expect(table(columns, [row], 60).split("\n")).toEqual([
      "prompt                             score        range of all",
      "                                                      scores",
      "------------------  --------------------  ------------------",
      "an animal with two  0.716 [0.690, 0.741]            [0, 100]",
      "stalks an animal",
      "with two stalks an",
      "animal with two",
      "stalks",
    ]);
    const narrow = table(columns, [row], 30).split("\n");
    expect(narrow).toContain("an        0.716 [0.690, 0.741]");
    expect(narrow.slice(-4).join(" ")).toBe(
      'Not shown, the terminal is too narrow: "range of all scores". A wider one shows them; --json has all.',
    );
  });

  it("keeps the indent of a cell whose words wrap", () => {
    const columns = [{ title: "a" }, { title: "b", align: "right" }] as const;
    expect(
      table(columns, [["  mean of domains", "12345678"]], 19)
        .split("\n")
        .slice(2),
    ).toEqual(["  mean of  12345678", "  domains"]);
  });

  it("counts colours as nothing and wide characters as two", () => {
    expect(displayWidth("\u001b[31mred\u001b[39m")).toBe(3);
    expect(displayWidth("猫🐧")).toBe(4);
    const text = table(
      [{ title: "a" }, { title: "b" }],
      [
        ["猫", "x"],
        ["cd", "y"],
      ],
      100,
    );
    expect(text.split("\n").slice(2)).toEqual(["猫  x", "cd  y"]);
  });

  it("takes line ends, cursor movements, colours and turns of writing out of cells", () => {
    const text = table([{ title: "a" }], [["one\ntwo\u001b[2Jthree\u001b[31m\u202efour"]], 100);
    expect(text.split("\n")[2]).toBe("one two [2Jthree [31m four");
  });

  it("wraps titles at spaces, and keeps a first number that is wider than all", () => {
    const columns = ["a long name", "another long name"].map(
      (title) => ({ title, align: "right" }) as const,
    );
    expect(table(columns, [["0.878", "1234567890.25"]], 25).split("\n")).toEqual([
      "    a long   another long",
      "      name           name",
      "----------  -------------",
      "     0.878  1234567890.25",
    ]);
    expect(table(columns, [["1234567890.25", "1"]], 10).split("\n")).toContain("1234567890.25");
  });

  it("keeps an interval among words in one line", () => {
    const lines = table([{ title: "verdict" }], [["the same in 1.00 [0.96, 1.00]"]], 20).split(
      "\n",
    );
    expect(lines.slice(2)).toEqual(["the same in 1.00", "[0.96, 1.00]"]);
  });

  it("shortens long names in the middle, apart, before it leaves columns out", () => {
    const name = (size: string) =>
      `openai-compatible:meta-llama/Llama-3.2-${size}-Vision-Instruct-Turbo@2025-01-01-with-a-long-revision`;
    const columns = [
      { title: "model" },
      { title: "n", align: "right" },
      { title: "mean", align: "right" },
    ] as const;
    const rows = ["90B", "11B"].map((size) => [`  ${name(size)}`, "40", "0.700 [0.680, 0.720]"]);
    const [, , ...lines] = table(columns, rows, 60).split("\n");
    expect(lines).toHaveLength(2);
    expect(new Set(lines).size).toBe(2);
    for (const line of lines) {
      expect(line).toMatch(/^ {2}\S*…\S* {2,}40 {2}0\.700 \[0\.680, 0\.720\]$/);
      expect(displayWidth(line)).toBe(60);
    }
    // Where all fits, or nothing would be won, names stay whole.
    expect(table(columns, rows, 160)).toContain(name("11B"));
  });

  it("is never wider than asked, where words can give way", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "é", "猫"), minLength: 1, maxLength: 14 });
    const cell = fc.array(word, { maxLength: 9 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const text = table([{ title: "a" }, { title: "b" }], rows, 60);
        for (const each of rows.flat().join(" ").split(" ")) expect(text).toContain(each);
        for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(60);
      }),
    );
  });
});
