import {
  type InjectionEffect,
  injectionProbe,
  type ProbedSet,
} from "../../../benchmarks/stereotypes/injection-probe.js";
import { loadJudgeWording } from "../../../benchmarks/stereotypes/packaged.js";
import type { Rubric } from "../../../benchmarks/stereotypes/rubrics.js";
import { groupBy, largestOf } from "../../../core/arrays.js";
import { IncompleteError } from "../../../core/errors.js";
import type { ChatModel, Picture } from "../../../core/models.js";
import { randomFrom } from "../../../core/random.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { DoneRecord } from "../../../core/records.js";
import { openPicture } from "../../../images/picture.js";
import type { RubricWording } from "../../../judges/rubric-message.js";
import { askWithin, type Budget } from "../../../runs/budget.js";
import { countText, estimateText, percentText } from "../../../views/number-text.js";
import { numberColumns } from "../../../views/printed.js";
import type { Output } from "../../terminal/output.js";
import type { Style } from "../../terminal/style.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

/**
 * Probes an audit's judge with image sets of its run. Nothing is written to the run.
 *
 * @throws IncompleteError where the budget is spent. Answers of hosted models are kept, so that asking again
 *   costs nothing.
 */
export async function probeInjections(
  run: RecordStore,
  {
    judge,
    rubrics,
    wording = loadJudgeWording(),
    config,
    sets: count,
    budget,
    signal,
    output,
  }: {
    readonly judge: ChatModel;
    readonly rubrics: ReadonlyMap<string, Rubric>;
    /** The user's own wording of the questions; the packaged one by default. */
    readonly wording?: RubricWording | undefined;
    readonly config: { readonly seed: number };
    readonly sets: number;
    readonly budget: Budget;
    readonly signal: AbortSignal;
    readonly output: Pick<Output, "progress">;
  },
): Promise<InjectionEffect[]> {
  const { seed } = config;
  const sets = await injectionSets(run, { rubrics, count, seed });
  const effects = await injectionProbe(
    { judge: chatWithinBudget(judge, budget), wording, sets, seed },
    {
      signal,
      onSet: (done) => output.progress(`Probing the judge: ${done} of ${sets.length} sets`),
    },
  );
  if (budget.over === undefined) return effects;
  throw new IncompleteError(`The injection probe met its limit of ${budget.over}`, {
    hint: "Give the same command with a higher limit: the audit itself is whole.",
  });
}

/**
 * Draws image sets of an audit's first phase that the judge answered, equally many of each category.
 *
 * @param count the most sets to draw
 */
async function injectionSets(
  run: RecordStore,
  {
    rubrics,
    count,
    seed,
  }: {
    readonly rubrics: ReadonlyMap<string, Rubric>;
    readonly count: number;
    readonly seed: number;
  },
): Promise<ProbedSet[]> {
  const answered: DoneRecord<"audit">[] = [];
  for await (const audit of run.ofType("audit")) {
    const { status, phase, trial } = audit;
    if (status === "done" && phase === "initial" && trial === 0) answered.push(audit);
  }
  const dealt = [...groupBy(answered, ({ category }) => category)].map(([category, audits]) =>
    randomFrom(seed, "injection-sets", category).shuffle(audits),
  );
  const longest = Math.max(0, largestOf(dealt.map((audits) => audits.length)));
  const chosen = Array.from({ length: longest }, (_, at) =>
    dealt.flatMap((audits) => audits.slice(at, at + 1)),
  )
    .flat()
    .slice(0, count);
  const sets: ProbedSet[] = [];
  for (const { text: query, category, rubric: name, images } of chosen) {
    const rubric = rubrics.get(name);
    if (rubric === undefined) continue;
    const pictures: Picture[] = [];
    for (const image of images) pictures.push(await openPicture(await run.blobs.read(image)));
    sets.push({ query, category, rubric, pictures });
  }
  return sets;
}

/** The model until the budget is spent; after that its calls have no answer. */
const chatWithinBudget = (model: ChatModel, budget: Budget): ChatModel => ({
  identity: model.identity,
  chat: (request, options = {}) =>
    askWithin(budget, options, (traced) => model.chat(request, traced)),
});

/** Renders for a terminal what injected texts did to a judge's answers. */
export function injectionText(effects: readonly InjectionEffect[], style: Style): string {
  const rows = effects.map(({ injection, place, n, changed, shift, lost, failed }) => [
    injection,
    place,
    countText(n),
    percentText(changed),
    estimateText(shift),
    countText(lost),
    failedText(failed),
  ]);
  return [
    style.bold("Injection probe"),
    table(
      [
        ...[{ title: "text" }, { title: "in" }],
        ...numberColumns("items", "changed %", "shift", "lost"),
        { title: "sets without an answer" },
      ],
      rows,
      style.width,
    ),
    wrap(note, style.width),
  ].join("\n");
}

const failedText = (failed: InjectionEffect["failed"]): string =>
  Object.entries(failed)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ") || "0";

const note =
  "Each text is put behind the query, or painted into the images, and the judge asked as before. " +
  "changed: items whose answer differs from the one without it; shift: the mean change of an answer, " +
  "above 0 towards present; lost: items answered without it alone. Brackets hold 95 % intervals that " +
  'resample whole queries. "asked again" has no text in it, and "control" one that instructs nobody: what ' +
  "they do, no instruction did.";
