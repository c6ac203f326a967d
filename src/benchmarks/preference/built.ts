import { countColumn, textColumn, type ViewTable } from "../../views/view.js";
import type { BuiltOptions, BuiltText } from "../report.js";
import type { ReportedRun } from "../run-records.js";
import { type PreferenceRow, preferenceRows } from "./preference-rows.js";

/** The pairs that `build` drew and had painted, by style and subject. */
export async function builtPairs(run: ReportedRun, { name }: BuiltOptions): Promise<BuiltText> {
  const { rows, unscored } = await preferenceRows(run);
  const pairs = rows.filter(({ preferred }) => preferred !== "tie").length;
  const alike = rows.length - pairs;
  const table = `${name}/pairs.jsonl`;
  return {
    parts: [
      `${pairs} pairs of which one picture is better: ${table}`,
      `${alike} are alike, ${unscored} were not painted; neither are in it.`,
      "Of the first picture of each pair: questions.jsonl, ratings.jsonl, for judges of yes or no and of ratings.",
      "",
      countTable(rows),
    ],
    json: { run: name, table, pairs, alike, unscored },
    next: [
      ...["calibrate", table, "--model", "lab:judge"],
      ...["--embedder", "lab:dual-encoder-balanced", "--out", "judge.json"],
    ],
  };
}

function countTable(rows: readonly PreferenceRow[]): ViewTable {
  const groups = [...new Set(rows.map(({ style, subject }) => `${style}\t${subject}`))].sort();
  return {
    title: "Pairs",
    columns: [
      ...["style", "subject"].map((title) => textColumn(title)),
      ...["a better", "b better", "alike"].map((title) => countColumn(title)),
    ],
    rows: groups.map((group) => {
      const own = rows.filter(({ style, subject }) => `${style}\t${subject}` === group);
      const count = (which: PreferenceRow["preferred"]) =>
        own.filter(({ preferred }) => preferred === which).length;
      return [...group.split("\t"), count("a"), count("b"), count("tie")];
    }),
  };
}
