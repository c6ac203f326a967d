import { buildChoice } from "../../../benchmarks/prototypicality/build-choice.js";
import type { ReportedRun } from "../../../benchmarks/run-records.js";
import { listText } from "../../../core/list-text.js";
import type { DoneRecord, RecordOf } from "../../../core/records.js";
import type { BuiltOptions, BuiltText } from "../shown-benchmark.js";

type Prompt = DoneRecord<"prompt">;

/** The prompts that `build` wrote, by domain and error type, and why others were not written. */
export async function builtPrompts(
  run: ReportedRun,
  { name, folder, drawableBy, ...asked }: BuiltOptions,
): Promise<BuiltText> {
  const done: Prompt[] = [];
  const unscored: Extract<RecordOf<"prompt">, { status: "unscored" }>[] = [];
  for await (const prompt of run.ofType("prompt")) {
    if (prompt.status === "done") done.push(prompt);
    else unscored.push(prompt);
  }
  const { domains } = buildChoice(asked);
  const [example] = done;
  return {
    parts: [
      `${done.length} prompts, ${unscored.length} not written; in ${folder}`,
      "",
      countTable(done),
      ...unevenNote(done, asked.count === undefined ? [] : domains),
      ...(example === undefined
        ? []
        : [
            "",
            `For example (error type ${example.knob}): ${example.text}`,
            `  correct:     ${example.correct}`,
            `  adversarial: ${example.adversarial}`,
          ]),
      ...(unscored.length === 0 ? [] : ["", leftOutTable(unscored)]),
    ],
    json: {
      run: name,
      prompts: done.length,
      byDomain: Object.fromEntries(domains.map((domain) => [domain, countIn(done, domain)])),
      unscored: unscored.length,
    },
    next: ["generate", "--run", name, "--model", drawableBy ?? "lab:painter"],
  };
}

const countIn = (prompts: readonly Prompt[], domain: string): number =>
  prompts.filter((prompt) => prompt.domain === domain).length;

/** Says of a sample that was to be even which domains had too few prompts. */
function unevenNote(prompts: readonly Prompt[], asked: readonly string[]): readonly string[] {
  const counts = asked.map((domain) => ({ domain, count: countIn(prompts, domain) }));
  const most = Math.max(0, ...counts.map(({ count }) => count));
  const few = counts.filter(({ count }) => count < most - 1);
  if (few.length === 0) return [];
  const named = few.map(({ domain, count }) => `${domain} (${count})`);
  return [
    "",
    `Not balanced over domains: ${listText(named)} had no more prompts; the others got more.`,
  ];
}

function countTable(prompts: readonly Prompt[]) {
  const knobs = [...new Set(prompts.map(({ knob }) => knob))].sort();
  const numbers = [...knobs, "all"].map((title) => ({ title, align: "right" as const }));
  return {
    columns: [{ title: "domain" }, ...numbers],
    rows: [...new Set(prompts.map(({ domain }) => domain))].map((domain) => {
      const own = prompts.filter((prompt) => prompt.domain === domain);
      const counts = knobs.map((knob) => own.filter((prompt) => prompt.knob === knob).length);
      return [domain, ...counts.map(String), String(own.length)];
    }),
  };
}

function leftOutTable(prompts: readonly { readonly domain: string; readonly detail: string }[]) {
  const reasons = new Map<string, number>();
  for (const { domain, detail } of prompts) {
    const reason = `${domain}: ${detail}`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const most = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 10);
  return {
    columns: [{ title: "not written because" }, { title: "prompts", align: "right" as const }],
    rows: most.map(([reason, count]) => [reason, String(count)]),
  };
}
