import { z } from "zod";
import { largestOf } from "../../core/arrays.js";
import { listText } from "../../core/phrases.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";
import { pluralText } from "../../views/number-text.js";
import { countColumn, textColumn, type ViewTable } from "../../views/view.js";
import type { BuiltOptions, BuiltText } from "../benchmark.js";
import type { ReportedRun } from "../run-records.js";
import { droppedByRule, rulesBroken } from "./run-filter.js";

type Prompt = DoneRecord<"prompt">;

/** The prompts that `build` wrote, by domain and error type, and why others were not written. */
export async function builtPrompts(
  run: ReportedRun,
  { name, folder, drawableBy, flags, count }: BuiltOptions,
): Promise<BuiltText> {
  const done: Prompt[] = [];
  const unscored: Extract<RecordOf<"prompt">, { status: "unscored" }>[] = [];
  for await (const prompt of run.ofType("prompt")) {
    if (prompt.status === "done") done.push(prompt);
    else unscored.push(prompt);
  }
  const step = run.recipe.steps.find(({ name }) => name === "build-prompts");
  const { domains, writer } = planned.parse(step?.parameters);
  const dropped = droppedByRule(unscored);
  const others = unscored.filter((prompt) => rulesBroken(prompt).length === 0);
  const again = await askedAgain(run);
  const [example] = done;
  return {
    parts: [
      `${pluralText(done.length, "prompt")} written${unscored.length === 0 ? "" : `, ${pluralText(unscored.length, "other candidate")} left out`}; in ${folder}`,
      "",
      "By domain and error type:",
      countTable(done),
      ...unevenNote(done, count === undefined || unscored.length > 0 ? [] : domains),
      ...(example === undefined
        ? []
        : [
            "",
            `For example, with an error of type “${example.knob}”: ${example.text}`,
            `  correct:     ${example.correct}`,
            `  adversarial: ${example.adversarial}`,
          ]),
      ...(again.triplets === 0
        ? []
        : [
            "",
            `${pluralText(again.triplets, "triplet")} broke a rule and ${again.triplets === 1 ? "was" : "were"} asked for again.`,
          ]),
      ...(dropped.size === 0
        ? []
        : ["", countedTable("dropped for the rule", "triplets", [...dropped])]),
      ...(others.length === 0 ? [] : ["", leftOutTable(others)]),
    ],
    json: {
      run: name,
      prompts: done.length,
      byDomain: Object.fromEntries(domains.map((domain) => [domain, countIn(done, domain)])),
      unscored: unscored.length,
      ...(writer === "template"
        ? {}
        : {
            writer,
            askedAgain: { triplets: again.triplets, byRule: again.byRule },
            dropped: Object.fromEntries(dropped),
          }),
    },
    next: nextOf({
      name,
      drawableBy,
      isOwn: writer !== "template" || flags.taxonomy !== undefined,
    }),
  };
}

const planned = z.object({ domains: z.array(z.string()), writer: z.string() });

/** Next command: the prompts are for a generator of the user's own, unless the lab's can draw them. */
const nextOf = ({
  name,
  drawableBy,
  isOwn,
}: {
  readonly name: string;
  readonly drawableBy: string | undefined;
  readonly isOwn: boolean;
}): readonly string[] =>
  drawableBy === undefined && isOwn
    ? ["generate", "--run", name, "--samples", "1", "--wanted", "wanted.csv"]
    : ["generate", "--run", name, "--model", drawableBy ?? "lab:painter"];

const broken = z.object({
  kind: z.literal("rules-broken"),
  key: z.string(),
  rules: z.array(z.string()),
});

/** Counts the triplets that broke a rule at first, and the breaches of each rule. */
async function askedAgain(
  run: ReportedRun,
): Promise<{ readonly triplets: number; readonly byRule: Readonly<Record<string, number>> }> {
  const triplets = new Set<string>();
  const byRule: Record<string, number> = {};
  for await (const entry of run.trace()) {
    const { data } = broken.safeParse(entry);
    if (data === undefined) continue;
    triplets.add(data.key);
    for (const rule of data.rules) byRule[rule] = (byRule[rule] ?? 0) + 1;
  }
  return { triplets: triplets.size, byRule };
}

/** How many prompts or triplets there are of each reason. */
const countedTable = (title: string, counted: string, rows: ViewTable["rows"]): ViewTable => ({
  title,
  columns: [textColumn(title), countColumn(counted)],
  rows,
});

const countIn = (prompts: readonly Prompt[], domain: string): number =>
  prompts.filter((prompt) => prompt.domain === domain).length;

/** Names the domains with too few prompts for an even sample. */
function unevenNote(prompts: readonly Prompt[], asked: readonly string[]): readonly string[] {
  const counts = asked.map((domain) => ({ domain, count: countIn(prompts, domain) }));
  const most = Math.max(0, largestOf(counts.map(({ count }) => count)));
  const few = counts.filter(({ count }) => count < most - 1);
  if (few.length === 0) return [];
  const named = few.map(({ domain, count }) => `${domain} (${count})`);
  return [
    "",
    `Not balanced over domains: ${listText(named)} had no more prompts; the others got more.`,
  ];
}

function countTable(prompts: readonly Prompt[]): ViewTable {
  const knobs = [...new Set(prompts.map(({ knob }) => knob))].sort();
  return {
    title: "Prompts",
    columns: [textColumn("domain"), ...[...knobs, "all"].map((title) => countColumn(title))],
    rows: [...new Set(prompts.map(({ domain }) => domain))].map((domain) => {
      const own = prompts.filter((prompt) => prompt.domain === domain);
      const counts = knobs.map((knob) => own.filter((prompt) => prompt.knob === knob).length);
      return [domain, ...counts, own.length];
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
  return countedTable("left out because", "candidates", most);
}
