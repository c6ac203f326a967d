import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { outsideProblem } from "../../../files/outside.js";
import { promiseWords } from "../../../judges/promise-words.js";
import type { StudyBlock } from "../../../studies/study.js";
import type { Environment } from "../../environment.js";
import { withOwnModel } from "../../models/own-model.js";
import { readJudge } from "../judge/saved-judge.js";

/**
 * The command that takes answers back to the judge whose queue people answered, or makes a judge of them;
 * undefined where that judge, or the table that it was made of, isn't there: its queue makes no other judge.
 */
export async function calibrateWords(
  { judge: file, items }: StudyBlock,
  { out, environment }: { readonly out: string; readonly environment: Environment },
): Promise<readonly string[] | undefined> {
  if (file === undefined) return withOwnModel(["calibrate", out], environment);
  const { workingDirectory } = environment;
  const found = await readJudge(file, environment).catch(() => undefined);
  const labels = resolve(workingDirectory, found?.command[0] ?? "");
  if (found === undefined || !existsSync(labels)) return undefined;
  const folders = [dirname(labels), dirname(resolve(workingDirectory, out))];
  const places = items.flatMap(({ sources }) => sources);
  const outside = await Promise.all(places.map((place) => outsideProblem(place, folders)));
  const isOutside = outside.some((problem) => problem !== undefined);
  const shown = relative(workingDirectory, file);
  return [
    ...["calibrate", ...found.command, ...promiseWords(found.certification)],
    ...["--add", out, "--out", shown.startsWith("..") ? file : shown],
    ...(isOutside && !found.command.includes("--allow-outside") ? ["--allow-outside"] : []),
  ];
}
