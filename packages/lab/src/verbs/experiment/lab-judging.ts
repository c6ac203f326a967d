import { modelName } from "touchstone-t2i/internal/core/models.js";
import { openDocuments, runPlace } from "touchstone-t2i/internal/files/open-store.js";
import { composePrompts } from "touchstone-t2i/internal/judges/compose-prompts.js";
import { loadPromptPool } from "touchstone-t2i/internal/judges/read-prompt-pool.js";
import { samplePrompts } from "touchstone-t2i/internal/judges/sample-prompts.js";
import type { AnswerRow } from "../../experiments/ensemble/answers.js";
import { labModel } from "../../models/lab-model.js";
import type { Runtime } from "../../models/runtime.js";
import type { LabJudging } from "./judge-lab-pairs.js";

/** The lab's judge, asked by prompts that are drawn from the pool, and the lab's embedder. */
export const labJudging = ({
  drawn,
  runtime,
  ...where
}: Omit<LabJudging, "model" | "embedder" | "prompts"> & {
  readonly drawn: { readonly count: number; readonly seed: number };
  /** What runs both; WebAssembly where not given. */
  readonly runtime?: Runtime;
}): LabJudging => ({
  ...where,
  model: labModel("judge", { runtime }),
  embedder: labModel("dual-encoder-balanced", { runtime }),
  prompts: samplePrompts({
    prompts: composePrompts(loadPromptPool("pairwise").pool),
    ...drawn,
  }),
});

/** Who judged and who embedded, with their revisions: what comes out is theirs alone. */
export const askedModels = ({ model, embedder }: Pick<LabJudging, "model" | "embedder">) => ({
  judge: modelName(model.identity),
  embedder: modelName(embedder.identity),
});

/** The same in a sentence. */
export const askedText = ({ judge, embedder }: ReturnType<typeof askedModels>): string =>
  ` Judged by ${judge}; embedded by ${embedder}.`;

const answersName = "answers.jsonl";

/** Leaves answers beside the run as the table that verbs read. */
export const keepAnswers = (
  rows: readonly AnswerRow[],
  { run, environment }: Pick<LabJudging, "run" | "environment">,
): Promise<void> =>
  openDocuments(runPlace(run, environment)).write(
    answersName,
    rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
