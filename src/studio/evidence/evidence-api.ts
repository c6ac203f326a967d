import type { QuestionKind } from "../../analysis/evidence/evidence-table.js";
import type { View } from "../../views/view.js";

/** What published sets say of metrics, with the questions and metrics that there are. */
export interface EvidencePage {
  readonly questions: readonly QuestionKind[];
  /** Measured for the question, the best first. */
  readonly metrics: readonly string[];
  readonly view: View;
  /** The command that prints the same. */
  readonly command: string;
  /** Output of --json. */
  readonly json: string;
  readonly csv: string;
  /** Undefined for one metric. */
  readonly plot:
    | {
        readonly svg: string;
        readonly narrow: string | undefined;
        readonly description: string;
        readonly caption: string;
      }
    | undefined;
}
