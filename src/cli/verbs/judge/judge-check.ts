import { extname, resolve } from "node:path";
import judgeCheck from "../../../conclusions/judge-check/judge-check.js";
import type { Inputs } from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import { openDocuments, openStore, runPlace } from "../../../files/open-store.js";
import { readTextFile } from "../../../files/regular-file.js";
import { judgedRows } from "../../../judges/judged-rows.js";
import { tableOf } from "../../../tables/bytes.js";
import { conclusionCommand } from "../../conclusions/conclusion-command.js";
import type { Environment } from "../../environment.js";
import { answersName } from "../calibrate/answers-of-run.js";
import { isRun } from "../score/score-run.js";

/** Reads runs and saved judges beside tables. */
export default conclusionCommand(judgeCheck, {
  inputs: (files, environment): Inputs => ({
    ...files,
    async table(file, isFormatKnown) {
      const run = await answersBehind(file, environment);
      return run === undefined
        ? files.table(file, isFormatKnown)
        : tableOf(`${file}.jsonl`, await answersOf(run, environment));
    },
  }),
});

/** The run that holds the answers of a saved judge, or a run itself; undefined of a table. */
async function answersBehind(file: string, environment: Environment): Promise<string | undefined> {
  if (file === "-") return undefined;
  if (await isRun(file, environment)) return file;
  if (extname(file).toLowerCase() !== ".json") return undefined;
  const text = await readTextFile(resolve(environment.workingDirectory, file)).catch(() => "");
  if (!/"kind":\s*"touchstone-judge"/.test(text.slice(0, 1000))) return undefined;
  const run = `${file.slice(0, -".json".length)}-answers`;
  if (await isRun(run, environment)) return run;
  throw new InputError(`Expected the answers of ${file} in ${run} but found no run there`, {
    hint: "calibrate keeps them beside the judge. Where they lie elsewhere: touchstone judge check RUN",
  });
}

async function answersOf(run: string, environment: Environment): Promise<string> {
  const place = runPlace(run, environment);
  const labels = labelsIn(await openDocuments(place).read(answersName));
  const lines: string[] = [];
  for await (const row of judgedRows(await openStore(place), labels))
    lines.push(JSON.stringify(row));
  if (lines.length > 0) return lines.join("\n");
  throw new InputError(`Expected a run with a judge's answers but ${run} has none`, {
    hint: "Such as the one that judge or calibrate keeps beside its results.",
  });
}

/** What people say of items, as calibrate keeps it beside the answers. */
function labelsIn(answers = ""): Map<string, number> {
  const rows = answers.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  return new Map(
    rows.flatMap(({ id, label }: { id: string; label: number | null }) =>
      label === null || label === undefined ? [] : [[id, label]],
    ),
  );
}
