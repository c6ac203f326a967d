import { preference } from "../../../benchmarks/preference/benchmark.js";
import {
  type PreferenceRow,
  preferenceRows,
} from "../../../benchmarks/preference/preference-rows.js";
import type { ReportedRun } from "../../../benchmarks/run-records.js";
import { type BuiltOptions, type BuiltText, shown } from "../shown-benchmark.js";

export const shownPreference = shown(preference, { built: builtPairs });

/** The pairs that `build` drew and had painted, by style and subject. */
async function builtPairs(run: ReportedRun, { name }: BuiltOptions): Promise<BuiltText> {
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

function countTable(rows: readonly PreferenceRow[]) {
  const groups = [...new Set(rows.map(({ style, subject }) => `${style}\t${subject}`))].sort();
  const align = "right" as const;
  return {
    columns: [
      ...[{ title: "style" }, { title: "subject" }],
      ...[
        { title: "a better", align },
        { title: "b better", align },
        { title: "alike", align },
      ],
    ],
    rows: groups.map((group) => {
      const own = rows.filter(({ style, subject }) => `${style}\t${subject}` === group);
      const count = (which: PreferenceRow["preferred"]) =>
        String(own.filter(({ preferred }) => preferred === which).length);
      return [...group.split("\t"), count("a"), count("b"), count("tie")];
    }),
  };
}
