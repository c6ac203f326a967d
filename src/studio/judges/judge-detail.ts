import { join } from "node:path";
import { shellWord } from "../../core/shell-word.js";
import { readTextFile } from "../../files/regular-file.js";
import { openedJudge } from "../../judges/judge-artefact.js";
import { promiseWords } from "../../judges/promise-words.js";
import type { Figure } from "../../report/plots/figure.js";
import { judgeCoverage, judgeReliability } from "../../report/plots/judge-plot.js";
import type { FoundFile } from "../found-files.js";
import type { DrawnFigure, JudgeDetail } from "./judge-api.js";

/** A saved judge for its page. @throws InputError where the file was changed since it was saved. */
export async function judgeDetail(
  { id, name, path }: FoundFile,
  { shown }: { readonly shown: string },
): Promise<JudgeDetail> {
  const judge = openedJudge(await readTextFile(path), name);
  const { calibration, certification, command } = judge;
  const bins = calibration?.bins;
  const file = join(shown, name);
  const words = ["touchstone", "calibrate", ...command, ...promiseWords(certification)];
  return {
    id,
    name,
    path: file,
    task: judge.task,
    scale: judge.scale,
    model: judge.model,
    embedder: judge.embedder,
    weights: judge.weights,
    fit: judge.fit,
    labels: judge.labels,
    calibration,
    certification,
    fewerCalls: judge.fewerCalls,
    prompts: judge.prompts.map(({ id: prompt, system, task, question }) => ({
      id: prompt,
      text: [system, task, question].join("\n"),
    })),
    made: [...words, "--out", file].map(shellWord).join(" "),
    reliability:
      bins === undefined || calibration === null
        ? null
        : await drawn(judgeReliability({ bins, ece: calibration.ece })),
    coverage: certification.counts.some(({ accepted }) => accepted > 0)
      ? await drawn(judgeCoverage(certification.counts, certification.n))
      : null,
  };
}

/** What draws is loaded when it is first needed: it is a third of what the studio consists of. */
async function drawn({ title, caption, spec }: Figure): Promise<DrawnFigure> {
  const { svgFileOf } = await import("../../report/drawing/svg.js");
  return { title, caption, svg: await svgFileOf(spec) };
}
