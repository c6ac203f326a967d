import { join, resolve } from "node:path";
import {
  buildPairs,
  countFaults,
  type PreferenceRow,
  paintPairs,
  preferenceRows,
} from "../../../benchmarks/preference/index.js";
import { InputError } from "../../../core/errors.js";
import type { Hash } from "../../../core/keys.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { labPairs } from "../../../lab/preference-pairs.js";
import { faultCount } from "../../../lab/truth/fault-count.js";
import type { Limits } from "../../../runs/budget.js";
import type { Environment } from "../../environment.js";
import { chooseGenerator } from "../../models/generator-choice.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/table.js";
import { collect } from "./collect.js";
import { pictureTables } from "./picture-tables.js";

const tableName = "pairs.jsonl";
const defaultPairs = 200;

/**
 * Draws pairs of the preference benchmark into a run, has them painted and counted, and writes those
 * of which one picture is better as a table of labels; and tables about the first picture of each.
 */
export async function buildPreference({
  run,
  seed,
  count = defaultPairs,
  styles,
  limits,
  environment,
  output,
}: {
  readonly run: string;
  readonly seed: number;
  readonly count: number | undefined;
  readonly styles: readonly string[];
  readonly limits: Limits;
  readonly environment: Environment;
  readonly output: Output;
}): Promise<void> {
  const pairs = buildPairs({
    source: labPairs,
    seed,
    count,
    ...(styles.length === 0 ? {} : { styles }),
  });
  const painters = new Map(
    await Promise.all(
      labPairs.painters.map(
        async (name) => [name, (await chooseGenerator(name)).generator] as const,
      ),
    ),
  );
  const { store } = await collect(
    ({ recipe: { steps } }) => {
      if (steps.length > 0 && !steps.some(({ name }) => name === "build-pairs")) {
        throw new InputError(
          "Expected a run of preference, or a new folder, but received one of another benchmark",
          { hint: "Give another folder: --run DIR" },
        );
      }
      return [pairs, ...paintPairs({ painters }), countFaults({ truth: faultCount })];
    },
    {
      run,
      command: [
        ...["build", "--benchmark", "preference", "--run", run, "--seed", String(seed)],
        ...["--prompts", String(count), ...styles.flatMap((style) => ["--style", style])],
      ],
      seed,
      models: labPairs.painters,
      limits,
      environment,
      output,
    },
  );
  const { rows, unscored } = await preferenceRows(store);
  const unequal = rows.filter(({ preferred }) => preferred !== "tie");
  const ofPictures = pictureTables(rows, blob);
  for (const [name, lines] of Object.entries({
    [tableName]: unequal.map(columns),
    ...ofPictures,
  })) {
    const path = join(resolve(environment.workingDirectory, run), name);
    await writeFileAtomically(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  const shown = `${run}/${tableName}`;
  output.result(
    [
      `${unequal.length} pairs of which one picture is better: ${shown}`,
      `${rows.length - unequal.length} are alike, ${unscored} were not painted; neither are in it.`,
      `Of the first picture of each pair: ${Object.keys(ofPictures).join(", ")}, for judges of yes or no and of ratings.`,
      "",
      countTable(rows),
    ].join("\n"),
  );
  output.resultJson({
    run,
    table: shown,
    pairs: unequal.length,
    alike: rows.length - unequal.length,
    unscored,
  });
  output.nextCommand([
    ...["calibrate", shown, "--model", "lab:judge"],
    ...["--embedder", "lab:dual-encoder-balanced", "--out", "judge.json"],
  ]);
}

/** Images are named from the table's folder. */
const columns = ({ imageA, imageB, ...row }: PreferenceRow) => ({
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

function countTable(rows: readonly PreferenceRow[]): string {
  const groups = [...new Set(rows.map(({ style, subject }) => `${style}\t${subject}`))].sort();
  const right = { align: "right" } as const;
  return table(
    [
      ...[{ title: "style" }, { title: "subject" }],
      ...[
        { title: "a better", ...right },
        { title: "b better", ...right },
        { title: "alike", ...right },
      ],
    ],
    groups.map((group) => {
      const own = rows.filter(({ style, subject }) => `${style}\t${subject}` === group);
      const count = (which: PreferenceRow["preferred"]) =>
        String(own.filter(({ preferred }) => preferred === which).length);
      return [...group.split("\t"), count("a"), count("b"), count("tie")];
    }),
  );
}
