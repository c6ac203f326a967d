import type { Hash } from "../../core/keys.js";
import type { Records } from "../../core/step.js";
import { countColumn, textColumn, type ViewTable } from "../../views/view.js";
import type { BenchmarkTables, BuiltOptions, BuiltText, ConcludeOptions } from "../benchmark.js";
import type { ReportedRun } from "../run-records.js";
import { anotherSubject } from "./build-pairs.js";
import { type PreferenceRow, preferenceRows } from "./preference-rows.js";

/**
 * Tables of labels, images named from the run's folder: pairs.jsonl of the pairs of which one picture is
 * better; and of the first picture of each pair, so that no two rows share a caption, questions.jsonl
 * (yes where nothing is wrong) and ratings.jsonl (from 1 to 4).
 */
export async function preferenceTables(
  run: Records,
  { world }: Pick<ConcludeOptions, "world">,
): Promise<BenchmarkTables> {
  const { rows } = await preferenceRows(run);
  return {
    files: {
      "pairs.jsonl": lines(rows.filter(({ preferred }) => preferred !== "tie").map(pair)),
      ...(world === undefined
        ? {}
        : {
            "questions.jsonl": lines(
              rows.map(({ id, caption, imageA, wrongA }) => ({
                id,
                image: blob(imageA),
                question: world.questionOf(caption),
                answer: wrongA === 0 ? "yes" : "no",
              })),
            ),
          }),
      "ratings.jsonl": lines(
        rows.map(({ id, caption, imageA, wrongA }) => ({
          id,
          image: blob(imageA),
          text: caption,
          rating: ratingOf(wrongA),
        })),
      ),
    },
  };
}

const lines = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const pair = ({ imageA, imageB, ...row }: PreferenceRow) => ({
  id: row.id,
  caption: row.caption,
  image_a: blob(imageA),
  image_b: blob(imageB),
  preferred: row.preferred,
  wrong_a: row.wrongA,
  wrong_b: row.wrongB,
  style: row.style,
  subject: row.subject,
});

/** Painters write PNGs. */
const blob = (hash: Hash): string => `blobs/${hash.slice(0, 2)}/${hash}.png`;

/** 4: all is as the caption says; 3: one thing is not; 2: several are not; 1: another subject. */
const ratingOf = (wrong: number): number => (wrong >= anotherSubject ? 1 : 4 - Math.min(2, wrong));

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
