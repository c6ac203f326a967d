import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayWidth, table } from "./table.js";

describe("table", () => {
  it("aligns words to the left and numbers to the right", () => {
    const text = table(
      [{ title: "metric" }, { title: "n", align: "right" }],
      [
        ["clip-score", "900"],
        ["vqa", "1"],
      ],
    );
    expect(text).toBe(
      ["metric        n", "----------  ---", "clip-score  900", "vqa           1"].join("\n"),
    );
  });

  it("keeps to the width by shortening the widest words, never numbers", () => {
    const text = table(
      [{ title: "prompt" }, { title: "score", align: "right" }],
      [["an animal with two stalks ".repeat(8), "0.716 [0.690, 0.741]"]],
      60,
    );
    const lines = text.split("\n");
    expect(lines.every((line) => displayWidth(line) <= 60)).toBe(true);
    expect(lines[2]).toMatch(/^an animal .*… {2}0\.716 \[0\.690, 0\.741\]$/);
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
    );
    expect(text.split("\n").slice(2)).toEqual(["猫  x", "cd  y"]);
  });

  it("takes line ends, cursor movements, colours and turns of writing out of cells", () => {
    const text = table([{ title: "a" }], [["one\ntwo\u001b[2Jthree\u001b[31m\u202efour"]]);
    expect(text.split("\n")[2]).toBe("one two [2Jthree [31m four");
  });

  it("shortens titles of numbers last, and numbers never", () => {
    const columns = ["a long name", "another long name"].map(
      (title) => ({ title, align: "right" }) as const,
    );
    expect(table(columns, [["0.878", "1234567890.25"]], 25).split("\n")).toEqual([
      "a long na…  another long…",
      "----------  -------------",
      "     0.878  1234567890.25",
    ]);
    expect(table(columns, [["0.878", "1234567890.25"]], 10).split("\n")[2]).toBe(
      "   0.878  1234567890.25",
    );
  });

  it("is never wider than asked, where words can give way", () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 80 });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const text = table([{ title: "a" }, { title: "b" }], rows, 60);
        expect(text.split("\n")).toHaveLength(rows.length + 2);
        for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(60);
      }),
    );
  });
});
