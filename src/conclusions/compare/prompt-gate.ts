import type { ComparisonFound } from "../../analysis/comparison/comparison.js";
import { type Baseline, beforeOf, refuseOther } from "../../analysis/comparison/comparison-gate.js";
import {
  type ComparisonColumns,
  rowsOfModel,
} from "../../analysis/comparison/comparison-samples.js";
import { couplesOf } from "../../analysis/comparison/margin-gate.js";
import {
  type GatedPrompt,
  type PromptGate,
  type PromptVerdict,
  promptGate,
} from "../../analysis/comparison/prompt-gate.js";
import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { textAt } from "../../core/text-column.js";
import { countText, fixedText, pluralText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewPictures,
  type ViewTable,
} from "../../views/view.js";
import type { ComparisonTable } from "./columns.js";

/** A gate by prompt, with the images of the worst prompts. */
export interface ShownPromptGate extends PromptGate {
  readonly worst: readonly (PromptVerdict & { readonly images: readonly string[] })[];
}

/** So many of the worst prompts are shown. */
const shown = 3;

export const isPromptGate = (gate: object): gate is ShownPromptGate =>
  "kind" in gate && gate.kind === "per-prompt";

/**
 * Judges each prompt of each model: against columns threshold and allowance where the table has them, else against
 * its scores in the baseline. Prompts and models that either lacks are counted among the cautions; a model of which no
 * prompt can be judged misses the gate.
 *
 * @throws InputError where a prompt has a threshold without an allowance, where there is neither them nor a baseline
 *   with single scores, and as `promptGate` does.
 */
export function gateByPrompt(
  table: Pick<ComparisonTable, "columns" | "image" | "demands">,
  found: ComparisonFound,
  baseline: Baseline | undefined,
): ShownPromptGate {
  const { columns, demands } = table;
  if (baseline !== undefined) refuseOther(baseline, found);
  const before = baseline === undefined ? new Map() : beforeOf(baseline, {});
  const now = Object.keys(found.models);
  const couples =
    baseline === undefined
      ? now.map((name) => [name, name] as const)
      : couplesOf(now, [...before.keys()]);
  let [without, missing] = [0, 0];
  const prompts = couples.flatMap(([model, name]) => {
    const rows = rowsByPrompt(columns, model);
    const old = demands === undefined ? scoresBefore(before.get(name)?.rows, name) : undefined;
    for (const prompt of old?.keys() ?? []) if (!rows.has(prompt)) missing++;
    return [...rows].flatMap(([prompt, its]): GatedPrompt[] => {
      const scores = its.map((row) => columns.score[row] ?? Number.NaN);
      const against = demands === undefined ? old?.get(prompt) : demands(its);
      if (against === undefined) {
        without++;
        return [];
      }
      const scored = scores.filter((score) => !Number.isNaN(score));
      return [{ model, prompt, scores: scored, unscored: scores.length - scored.length, against }];
    });
  });
  if (prompts.length === 0) {
    throw new InputError(
      "Expected prompts of the baseline, or columns threshold and allowance, for --gate per-prompt but found none",
      { hint: "--baseline FILE with scores of the same prompts" },
    );
  }
  const gate = promptGate(prompts, found);
  const worst = gate.perPrompt.slice(0, shown).map((one) => ({
    ...one,
    images: imagesOf(table, one, found.direction === "higher" ? 1 : -1),
  }));
  const unjudged = couples.flatMap(([model]) =>
    prompts.some((one) => one.model === model) ? [] : [model],
  );
  const cautions = [
    ...gate.cautions,
    ...coverageCautions({
      unjudged,
      without,
      missing,
      gone: [...before.keys()].filter((name) => !couples.some(([, its]) => its === name)),
      added: now.filter((name) => !couples.some(([its]) => its === name)),
    }),
  ];
  return { ...gate, passed: gate.passed && unjudged.length === 0, cautions, worst };
}

/** What the gate did not judge, a sentence each without its stop. */
function coverageCautions({
  unjudged,
  without,
  missing,
  gone,
  added,
}: {
  readonly unjudged: readonly string[];
  readonly without: number;
  readonly missing: number;
  readonly gone: readonly string[];
  readonly added: readonly string[];
}): string[] {
  const agree = (count: number, one: string, several: string) => (count === 1 ? one : several);
  return [
    ...(unjudged.length === 0
      ? []
      : [`no prompt of ${listText(unjudged)} has a baseline or threshold, so the gate is missed`]),
    ...(without === 0
      ? []
      : [
          `${pluralText(without, "prompt")} ${agree(without, "has no baseline or threshold and is", "have no baseline or threshold and are")} not judged`,
        ]),
    ...(missing === 0
      ? []
      : [
          `${pluralText(missing, "prompt")} of the baseline ${agree(missing, "is", "are")} missing and not judged`,
        ]),
    ...(gone.length === 0
      ? []
      : [
          `${listText(gone)} of the baseline ${agree(gone.length, "is", "are")} missing and not judged`,
        ]),
    ...(added.length === 0
      ? []
      : [
          `${listText(added)} ${agree(added.length, "has no baseline and is", "have no baseline and are")} not judged`,
        ]),
  ];
}

function rowsByPrompt({ prompt, ...columns }: ComparisonColumns, model: string) {
  const found = new Map<string, number[]>();
  for (const row of rowsOfModel({ prompt, ...columns }, model)) {
    const name = textAt(prompt, row) ?? "";
    found.set(name, [...(found.get(name) ?? []), row]);
  }
  return found;
}

function scoresBefore(rows: ComparisonColumns | undefined, model: string): Map<string, number[]> {
  if (rows === undefined) {
    throw new InputError(
      "Expected a baseline with scores of single prompts for --gate per-prompt but it holds means alone",
      {
        hint: "Give its table, or write it anew: touchstone compare scores.csv --out accepted.json",
      },
    );
  }
  const scores = new Map<string, number[]>();
  for (const [prompt, its] of rowsByPrompt(
    rows,
    rows.model.names.length === 1 ? (rows.model.names[0] ?? model) : model,
  )) {
    const scored = its.flatMap((row) => {
      const score = rows.score[row] ?? Number.NaN;
      return Number.isNaN(score) ? [] : [score];
    });
    if (scored.length > 0) scores.set(prompt, scored);
  }
  return scores;
}

/** The image with the worst score of a prompt, and the one with the best, where the table names them. */
function imagesOf(
  { columns, image }: Pick<ComparisonTable, "columns" | "image">,
  { model, prompt }: PromptVerdict,
  sign: 1 | -1,
): string[] {
  if (image === undefined) return [];
  const rows = (rowsByPrompt(columns, model).get(prompt) ?? [])
    .filter((row) => !Number.isNaN(columns.score[row]))
    .sort((a, b) => sign * ((columns.score[a] ?? 0) - (columns.score[b] ?? 0)));
  const ends = [...new Set([rows[0], rows.at(-1)])];
  return ends.flatMap((row) => (row === undefined ? [] : (textAt(image, row) ?? [])));
}

/** Whether the gate was passed, and the prompts that were not. */
export function promptGateText(gate: ShownPromptGate, baselineName = "the demands"): string {
  const { perPrompt, error, passed, cautions } = gate;
  const failed = perPrompt.filter(({ state }) => state === "failed");
  const open = perPrompt.filter(({ state }) => state === "open");
  const all = pluralText(perPrompt.length, "prompt");
  const lead = passed
    ? `Gate passed: none of ${all} is shown to be worse than ${baselineName}; ${countText(open.length)} open.`
    : failed.length === 0
      ? `Gate missed: of ${all} too few could be judged.`
      : `Gate missed: ${countText(failed.length)} of ${all} ${failed.length === 1 ? "is" : "are"} worse than ${baselineName}.`;
  const each = failed
    .slice(0, shown)
    .map(({ model, prompt, sentence }) => `${model}, "${prompt}": ${sentence}`);
  return [
    lead,
    ...each,
    `A build without any change fails in at most ${100 * error} % of cases.`,
    ...cautions.map((caution) => `Caveat: ${caution}.`),
  ].join(" ");
}

/** The worst prompts, a row each. */
export function worstPrompts({ perPrompt, worst, bound }: ShownPromptGate): ViewTable {
  const more = perPrompt.filter(({ state }) => state === "failed").slice(shown);
  return {
    title: "Worst prompts",
    isHeadline: true,
    columns: [
      textColumn("model", { isGroup: true }),
      textColumn("prompt"),
      textColumn("state"),
      countColumn("samples"),
      countColumn("below"),
      numberColumn("threshold"),
      percentColumn("allowed, %"),
      numberColumn("evidence"),
      countColumn("more samples"),
    ],
    rows: [...worst, ...more].map((one) => [
      one.model,
      one.prompt,
      one.state,
      one.samples,
      one.below,
      one.threshold,
      one.allowance,
      one.evidence,
      one.needed,
    ]),
    note:
      "Below: samples worse than the prompt's own threshold. Evidence: the largest e-value on the way; a prompt fails " +
      `at ${fixedText(bound, 0)}. More samples: the fewest that could fail it, were all below.`,
  };
}

/** The images of the worst prompts; `address` says where they lie for a reader elsewhere. */
export const worstPictures = (
  { worst }: ShownPromptGate,
  address: string | undefined,
): ViewPictures[] =>
  worst
    .filter(({ images }) => images.length > 0)
    .map(({ model, prompt, state, sentence, images }) => ({
      title: `${prompt} (${model}, ${state})`,
      text: sentence,
      images: images.map((file, at) => ({
        file,
        alternative: `${at === 0 ? "Worst" : "Best"} image of ${model} for: ${prompt}`,
        ...(address !== undefined && { address: `${address.replace(/\/$/, "")}/${file}` }),
      })),
    }));
