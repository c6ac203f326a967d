import type { Prompt } from "./prompt.js";
import { type PromptPool, poolId } from "./read-prompt-pool.js";

/** Parts of a prompt: a name of each kind. */
type Parts = Prompt["parts"];

/** Every prompt that a pool's parts make, orders next to each other: the order of the file. */
export const composePrompts = (pool: PromptPool): Prompt[] =>
  Object.keys(pool.personas).flatMap((persona) =>
    Object.keys(pool.templates).flatMap((template) =>
      Object.keys(pool.criteria).flatMap((criterion) =>
        Object.keys(pool.glyphs).flatMap((glyphs) =>
          ordersOf(pool).map((order) =>
            composed(pool, { persona, template, criterion, glyphs, order }),
          ),
        ),
      ),
    ),
  );

const ordersOf = (pool: PromptPool): Parts["order"][] =>
  (["straight", "flipped"] as const).filter((order) => pool.orders[order] !== undefined);

function composed(pool: PromptPool, parts: Parts): Prompt {
  const { task, question } = pool.templates[parts.template] ?? { task: "", question: "" };
  const glyphs = pool.glyphs[parts.glyphs] ?? { answers: [], ask: "" };
  const order = pool.orders[parts.order] ?? [];
  const { answers } = glyphs;
  const filled = (text: string, names: Readonly<Record<string, string>>) =>
    // One pass, so that a part's own braces are left alone; places for the judged stay.
    text.replaceAll(/\{(\w+)\}/g, (place, name: string) => names[name] ?? place);
  const ask = filled(glyphs.ask, {
    answers: either(namedBackwards.includes(order[0] ?? "") ? answers.toReversed() : answers),
    lowest: answers[0] ?? "",
    highest: answers.at(-1) ?? "",
  });
  const tie = pool.kind === "pairwise" ? pool.tie : undefined;
  return {
    id: [parts.persona, parts.template, parts.criterion, parts.glyphs, parts.order].join("/"),
    pool: poolId(pool),
    kind: pool.kind,
    parts,
    system: [pool.personas[parts.persona], pool.rules].filter(Boolean).join(" "),
    task: filled(task, { criterion: pool.criteria[parts.criterion] ?? "" }),
    question: `${question} ${ask}`,
    labels: pool.kind === "pairwise" ? [...(pool.glyphs[parts.glyphs]?.labels ?? [])] : [],
    answers,
    order: [...order],
    ...(tie === undefined
      ? {}
      : { tie: { answer: tie.answer, ask: filled(tie.ask, { tie: tie.answer }) } }),
  };
}

/** Answers named before the other where answers are named from the last to the first. */
const namedBackwards = ["no", "highest"];

/** @example either(["1", "2", "3"]) // "1, 2 or 3" */
const either = (answers: readonly string[]): string =>
  [answers.slice(0, -1).join(", "), ...answers.slice(-1)].filter(Boolean).join(" or ");
