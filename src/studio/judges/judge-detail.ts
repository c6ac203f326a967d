import { join } from "node:path";
import { shellWord } from "../../core/shell-word.js";
import { readTextFile } from "../../files/regular-file.js";
import { type JudgeArtefact, openedJudge } from "../../judges/judge-artefact.js";
import { promiseWords } from "../../judges/promise-words.js";
import { type DrawnFigure, drawnFigure } from "../../report/drawing/drawn-figure.js";
import { judgeCoverage, judgeReliability } from "../../report/plots/judge-plot.js";
import type { FoundFile } from "../found-files.js";

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
        : await drawnFigure(judgeReliability({ bins, ece: calibration.ece })),
    coverage: certification.counts.some(({ accepted }) => accepted > 0)
      ? await drawnFigure(judgeCoverage(certification.counts, certification.n))
      : null,
  };
}

/** A judge's file as its page shows it. */
export interface JudgeDetail
  extends Pick<
    JudgeArtefact,
    | "task"
    | "scale"
    | "model"
    | "embedder"
    | "weights"
    | "fit"
    | "labels"
    | "calibration"
    | "certification"
    | "fewerCalls"
  > {
  readonly id: string;
  readonly name: string;
  /** Its file, as commands name it where the studio was started. */
  readonly path: string;
  readonly prompts: readonly { readonly id: string; readonly text: string }[];
  /** The command that made it. */
  readonly made: string;
  /** Null where it was measured on no label, or before bins were kept. */
  readonly reliability: DrawnFigure | null;
  readonly coverage: DrawnFigure | null;
}
