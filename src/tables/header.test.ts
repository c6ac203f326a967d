import { expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { numeric, text } from "./columns.js";
import { checkColumns, wantedColumns } from "./header.js";

/** The hint where a table has these columns and others are asked for. */
function hintFor(seen: readonly string[], asked: readonly string[], shape?: string) {
  const kinds = Object.fromEntries(asked.map((name) => [name, name === "score" ? numeric : text]));
  try {
    const wanted = wantedColumns(kinds, {});
    checkColumns({
      wanted,
      seen: new Set(seen),
      name: "t.csv",
      otherShape: (_, areNamed) => (areNamed ? undefined : shape),
    });
  } catch (error) {
    return error instanceof InputError ? error.hint : error;
  }
  return undefined;
}

test("a shape may give way to columns that stand for all that is missing", () => {
  expect(
    hintFor(["caption", "generator", "clip"], ["prompt", "model", "score"], "--scores …"),
  ).toBe(
    "If a column has another name, map it: --map prompt=caption --map model=generator --map score=clip",
  );
  expect(hintFor(["prompt", "sdxl", "flux"], ["prompt", "model", "score"], "--scores …")).toBe(
    "--scores …",
  );
});

test("no column is taken for two, and a name that is known comes before one that is near", () => {
  expect(hintFor(["model_1", "model_2", "winner"], ["a", "b", "preferred"])).toBe(
    "If a column has another name, map it: --map a=model_1 --map b=model_2 --map preferred=winner",
  );
});

test("what Mechanical Turk writes before a name is none of it", () => {
  const batch = ["HITId", "WorkerId", "AssignmentStatus", "Input.image_url", "Answer.choice"];
  expect(hintFor(batch, ["item", "annotator", "value"])).toBe(
    "If a column has another name, map it: --map item=Input.image_url --map annotator=WorkerId --map value=Answer.choice",
  );
});

test("a data frame's index is no column of scores, and a name with a space is quoted", () => {
  const index = "column 1";
  expect(hintFor([index, "prompt", "generator", "VQA Score"], ["model", "prompt", "score"])).toBe(
    "If a column has another name, map it: --map model=generator --map 'score=VQA Score'",
  );
  expect(hintFor([index, "probability", "label"], ["id", "label", "probability"])).toBe(
    "If a column has another name, map it: --map 'id=column 1'",
  );
});

test("a column # of row numbers is no comment", () => {
  expect(hintFor(["#", "Id", "score"], ["id", "score"])).toBe(
    "If a column has another name, map it: --map id=Id",
  );
});

test("a JSON file of columns is told how pandas writes one of rows", () => {
  expect(hintFor(["0", "1", "2", "key"], ["prompt", "score"])).toContain('orient="records"');
});

test.each([
  [["column 1", "column 2"], "Line 1 is blank"],
  [["# seed 3"], "Line 1 is a comment"],
  [["Results", "column 2", "column 3"], "the header may be line 2"],
  [["Results of March"], "the header line 2"],
  [["id|score"], "separate fields"],
  [["id  score"], "separate fields"],
  [
    ["id", "score\u200b"],
    "(U+200B): remove it from the header, or map it: --map $'score=score\\u200b'",
  ],
])("a first line of %j is named", (seen, expected) => {
  expect(hintFor(seen, ["id", "score"])).toContain(expected);
});

test("a name with its accents in another form is told from the one asked for", () => {
  const [composed, apart] = ["\u00e9valuation", "e\u0301valuation"];
  expect(hintFor(["id", composed], ["id", apart])).toContain(`--map '${apart}=${composed}'`);
  expect(hintFor(["id", apart], ["id", composed])).toContain("in another form of Unicode");
});

test("records of a run are told which command writes the rows of its report", () => {
  const records = ["key", "step_version", "metric", "value"];
  expect(hintFor(records, ["id", "correct", "adversarial"])).toContain("report RUN --tables");
});

test("of columns that say nothing one is to be mapped", () => {
  const asked = ["id", "metric", "domain", "correct", "adversarial"];
  expect(hintFor(["colour", "size"], asked)).toBe(
    "If a column has another name, map it: --map id=my_column",
  );
});
