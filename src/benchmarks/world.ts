import type { StereotypeRow } from "../analysis/stereotypes/stereotype-row.js";
import type { ImageEmbedder, Pixels } from "../core/models.js";
import type { AttributeCheck } from "./attribute-confusion/score-descriptions.js";
import type { FaultCheck, PairSource } from "./preference/build-pairs.js";
import type { TruthCheck } from "./prototypicality/score-images.js";
import type { ReportedRun } from "./run-records.js";

/** Knowledge that no record holds, of a world that paints its own pictures, such as the lab. */
export interface World {
  /** Checks of a picture against what was painted. */
  readonly truth: {
    readonly scene: TruthCheck;
    readonly attributes: AttributeCheck;
    readonly faults: FaultCheck;
    /** The true answers of an audit, under the names of `auditedRows`. */
    stereotypes(run: ReportedRun): Promise<readonly StereotypeRow[]>;
  };
  /** Captions that its painters can paint. */
  readonly pairs: PairSource;
  /** The question of yes or no that asks whether a sentence holds. */
  questionOf(sentence: string): string;
  /** Marks pixels in place as such as its models take. */
  readonly sign: (pixels: Pixels) => void;
  readonly embedder: ImageEmbedder;
}

/** Whether the lab's painters made a run's pictures, so that their truth is known. */
export const isPaintedByLab = ({ models }: { readonly models: readonly string[] }): boolean =>
  models.some((model) => model.startsWith("lab:painter"));
