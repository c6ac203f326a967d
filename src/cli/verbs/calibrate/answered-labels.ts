import type { RecordStore } from "../../../core/record-store.js";
import type { AnswerKind } from "../../../judges/answer-kind.js";
import type { Asking } from "../../../judges/asking.js";
import type { Prompt } from "../../../judges/prompt.js";
import { type AnswersOfRun, answersOfRun } from "./answers-of-run.js";
import { type AnsweredItems, answersTable } from "./answers-table.js";
import type { LabelledItem } from "./judged-table.js";
import type { LabelsInUse } from "./labels-in-use.js";
import type { ImageHashes } from "./open-items.js";

/** Answers about labelled items, and their embeddings. */
export interface AnsweredLabels {
  readonly answers: AnswersOfRun;
  readonly embeddings: readonly Float64Array[] | undefined;
  /** Answers as `lab experiment` and `analyze ensemble` read them; undefined of ratings. */
  readonly table: string | undefined;
}

type Embeddings = readonly Float64Array[] | undefined;

/** Reads a run's answers about labelled items, and embeds their images. */
export async function answeredLabels(
  store: RecordStore,
  { used, idle, ties }: LabelsInUse,
  {
    asking,
    prompts,
    hashes,
    kind: { width },
    embed,
  }: {
    readonly asking: Asking;
    readonly prompts: readonly Prompt[];
    readonly hashes: ImageHashes;
    readonly kind: AnswerKind;
    embed(items: readonly LabelledItem[], idle: ReadonlySet<number>): Promise<Embeddings>;
  },
): Promise<AnsweredLabels> {
  const asked = { asking, prompts, hashes, width };
  const answers = await answersOfRun(store, used, { ...asked, idle });
  const embeddings = await embed(used, idle);
  if (width !== 1) return { answers, embeddings, table: undefined };
  const none: ReadonlySet<number> = new Set();
  const ofTies = await answersOfRun(store, ties, { ...asked, idle: none });
  const parts: AnsweredItems[] = [
    { items: used, answers: answers.table, embeddings, idle },
    {
      items: ties,
      answers: ofTies.table,
      embeddings: ties.length === 0 ? undefined : await embed(ties, none),
      idle: none,
    },
  ];
  return { answers, embeddings, table: answersTable(parts, prompts.length) };
}
