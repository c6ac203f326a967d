import type { JudgeArtefact } from "../../judges/judge-artefact.js";
import type { DrawnFigure } from "../../report/drawing/drawn-figure.js";

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
