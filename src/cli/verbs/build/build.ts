import { resolve } from "node:path";
import { descriptionSets } from "../../../benchmarks/attribute-confusion/index.js";
import {
  type BenchmarkSize,
  buildPrompts,
  loadPublished,
} from "../../../benchmarks/prototypicality/index.js";
import { type Domain, domains } from "../../../benchmarks/prototypicality/taxonomy.js";
import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/list-text.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { DoneRecord, RecordOf } from "../../../core/records.js";
import { promptSplits } from "../../../core/records.js";
import type { Records, Step } from "../../../core/step.js";
import { command } from "../../command-line/command.js";
import { chooseGenerator } from "../../models/generator-choice.js";
import { table } from "../../terminal/table.js";
import { benchmarks, refuseOtherBenchmark } from "../run/benchmark-of.js";
import { buildAttributeConfusion } from "../run/build-attribute-confusion.js";
import { collect } from "../run/collect.js";
import { limitArguments, limitsOf } from "../run/limits.js";

export default command({
  description:
    "Builds the prompts of a benchmark into a run. prototypicality: for each pair of a " +
    "typical and an untypical member and each error type, a prompt with its correct and " +
    "adversarial sentence and the two sentences of the control, checked by the paper's " +
    "rules; 6,275 prompts, as in the paper, without --prompts. attribute-confusion: outfits " +
    "and pairs of coloured things, each described twice, once with the attributes swapped " +
    "between entities. preference: captions, each painted in one style by a better and a " +
    "worse painter of the lab, with a table of which image has fewer errors (200 pairs " +
    "without --prompts).",
  examples: [
    "touchstone build --run runs/benchmark --prompts 200 --drawable-by lab:painter --split evaluation",
    "touchstone build --run runs/paper-size",
    "touchstone build --benchmark attribute-confusion --run runs/outfits --set outfits",
    "touchstone build --benchmark preference --run runs/pairs --prompts 300 --style noto --style fluent",
  ],
  arguments: {
    benchmark: {
      kind: "choice",
      choices: [...benchmarks, "preference"] as const,
      default: "prototypicality",
      description: "the benchmark",
    },
    run: {
      kind: "text",
      value: "DIR",
      default: "runs/benchmark",
      description: "the folder of the run",
    },
    prompts: {
      kind: "number",
      integer: true,
      minimum: 1,
      description:
        "the total number of prompts; prototypicality spreads them evenly over domains (if a " +
        "domain has too few, the others get more)",
    },
    domain: {
      kind: "text",
      repeated: true,
      value: "NAME[=N]",
      description: `one of ${domains.join(", ")}; default: all. NAME=N, without --prompts, builds N of this domain`,
    },
    split: {
      kind: "text",
      repeated: true,
      value: "NAME",
      description: `one of ${promptSplits.join(", ")}; default: all`,
    },
    set: {
      kind: "text",
      repeated: true,
      value: "NAME",
      description: `for attribute-confusion: one of ${descriptionSets.join(", ")}; default: all`,
    },
    style: {
      kind: "text",
      repeated: true,
      value: "NAME",
      description: "for preference: one of the styles fluent, noto, twemoji; default: all",
    },
    "drawable-by": {
      kind: "text",
      value: "PROVIDER:MODEL",
      description: "build only prompts that this generator can draw, and list the excluded pairs",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      default: 0,
      description:
        "the random seed of the selection and the splits: build the splits of one benchmark with one seed",
    },
    ...limitArguments,
  },
  async run({ given, environment, output }) {
    const { run, seed, benchmark } = given;
    refuseIdleFlags(given);
    if (benchmark === "preference") {
      const { buildPreference } = await import("../run/build-preference.js");
      return buildPreference({
        run,
        seed,
        count: given.prompts,
        styles: given.style,
        limits: limitsOf(given),
        environment,
        output,
      });
    }
    if (benchmark === "attribute-confusion") {
      return buildAttributeConfusion({
        run,
        seed,
        count: given.prompts,
        drawableBy: given["drawable-by"],
        sets: chosen(given.set, descriptionSets, "--set"),
        limits: limitsOf(given),
        environment,
        output,
      });
    }
    const { names: chosenDomains, size } = sizeOf(given.prompts, given.domain);
    const splits = chosen(given.split, promptSplits, "--split");
    const generator = given["drawable-by"];
    const canDraw =
      generator === undefined ? undefined : (await chooseGenerator(generator)).cannotDraw;
    const step = buildPrompts({
      seed,
      size,
      domains: chosenDomains,
      splits,
      ...(canDraw === undefined ? {} : { canDraw, drawableOnly: true }),
    });
    await refuseUnplannable(step);
    const { store } = await collect(
      ({ recipe }) => {
        refuseOtherBenchmark(recipe, "prototypicality");
        return [step];
      },
      {
        run,
        command: [
          "build",
          ...["--run", run, "--seed", String(seed)],
          ...(given.prompts === undefined ? [] : ["--prompts", String(given.prompts)]),
          ...given.domain.flatMap((domain) => ["--domain", domain]),
          ...given.split.flatMap((split) => ["--split", split]),
          ...(generator === undefined ? [] : ["--drawable-by", generator]),
        ],
        seed,
        limits: limitsOf(given),
        environment,
        output,
      },
    );
    const { done, unscored } = await readPrompts(store);
    const [example] = done;
    output.result(
      [
        `${done.length} prompts, ${unscored.length} not written; in ${resolve(environment.workingDirectory, run)}`,
        "",
        countTable(done),
        ...unevenNote(done, given.prompts === undefined ? [] : chosenDomains),
        ...(example === undefined
          ? []
          : [
              "",
              `For example (error type ${example.knob}): ${example.text}`,
              `  correct:     ${example.correct}`,
              `  adversarial: ${example.adversarial}`,
            ]),
        ...(unscored.length === 0 ? [] : ["", leftOutTable(unscored)]),
      ].join("\n"),
    );
    const byDomain = byName(chosenDomains, (name) => countIn(done, name));
    output.resultJson({ run, prompts: done.length, byDomain, unscored: unscored.length });
    output.nextCommand(["generate", "--run", run, "--model", generator ?? "lab:painter"]);
  },
});

/** A flag that would change nothing is an error, not a silence. */
function refuseIdleFlags(given: {
  readonly benchmark: string;
  readonly domain: readonly string[];
  readonly split: readonly string[];
  readonly set: readonly string[];
  readonly style: readonly string[];
  readonly "drawable-by": string | undefined;
}): void {
  const own: Readonly<Record<string, readonly string[]>> = {
    prototypicality: ["domain", "split", "drawable-by"],
    "attribute-confusion": ["set", "drawable-by"],
    preference: ["style"],
  };
  const idle = (["domain", "split", "set", "style", "drawable-by"] as const).filter(
    (flag) => (given[flag]?.length ?? 0) > 0 && !own[given.benchmark]?.includes(flag),
  );
  if (idle.length === 0) return;
  throw new InputError(
    `Expected no ${idle.map((flag) => `--${flag}`).join(", ")} for ${given.benchmark} but received it`,
    { hint: "See: touchstone build --help" },
  );
}

function chosen<Name extends string>(
  given: readonly string[],
  known: readonly Name[],
  flag: string,
): readonly Name[] {
  if (given.length === 0) return known;
  return [...new Set(given)].map((name) => {
    const found = known.find((one) => one === name);
    if (found !== undefined) return found;
    throw new InputError(`Expected one of ${known.join(", ")} for ${flag} but received "${name}"`);
  });
}

/** Plans once for nothing: a run made with what can't be planned would refuse what can be. */
async function refuseUnplannable(step: Step<"prompt">): Promise<void> {
  const nothing: Records = { async *ofType() {} };
  for await (const _ of step.plan(nothing));
}

/** So many in all, so many of each domain, or the paper's own number of each. */
function sizeOf(
  prompts: number | undefined,
  given: readonly string[],
): { readonly names: readonly Domain[]; readonly size: BenchmarkSize } {
  const words = given.map((word) => word.split("=", 2));
  const names = chosen(
    words.map(([name = ""]) => name),
    domains,
    "--domain",
  );
  const counts = words.flatMap(([, count]) => (count === undefined ? [] : [count]));
  if (counts.length > 0) {
    const wrong = counts.find((count) => !/^[1-9]\d*$/.test(count));
    if (
      wrong !== undefined ||
      counts.length < words.length ||
      names.length < words.length ||
      prompts !== undefined
    ) {
      throw new InputError(
        `Expected a whole number above 0 for every --domain, each once, and no --prompts, but received ${[
          ...given.map((word) => `--domain ${word}`),
          ...(prompts === undefined ? [] : [`--prompts ${prompts}`]),
        ].join(" ")}`,
        { hint: "Such as: --domain animals=200 --domain objects=100" },
      );
    }
    return { names, size: { byDomain: byName(names, (_, at) => Number(counts[at])) } };
  }
  if (prompts !== undefined) return { names, size: { total: prompts } };
  const published = loadPublished().size.prompts;
  return { names, size: { byDomain: byName(names, (name) => published[name]) } };
}

const byName = (
  names: readonly Domain[],
  count: (name: Domain, at: number) => number,
): Record<string, number> => Object.fromEntries(names.map((name, at) => [name, count(name, at)]));

const countIn = (prompts: readonly { readonly domain: string }[], domain: string): number =>
  prompts.filter((prompt) => prompt.domain === domain).length;

/** Says of a sample that was to be even which domain had too few. */
function unevenNote(
  prompts: readonly { readonly domain: string }[],
  asked: readonly Domain[],
): readonly string[] {
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

async function readPrompts(store: RecordStore) {
  const done: DoneRecord<"prompt">[] = [];
  const unscored: Extract<RecordOf<"prompt">, { status: "unscored" }>[] = [];
  for await (const prompt of store.ofType("prompt")) {
    if (prompt.status === "done") done.push(prompt);
    else unscored.push(prompt);
  }
  return { done, unscored };
}

function countTable(prompts: readonly DoneRecord<"prompt">[]): string {
  const knobs = [...new Set(prompts.map(({ knob }) => knob))].sort();
  const rows = [...new Set(prompts.map(({ domain }) => domain))].map((domain) => {
    const own = prompts.filter((prompt) => prompt.domain === domain);
    const counts = knobs.map((knob) => own.filter((prompt) => prompt.knob === knob).length);
    return [domain, ...counts.map(String), String(own.length)];
  });
  const numbers = [...knobs, "all"].map((title) => ({ title, align: "right" as const }));
  return table([{ title: "domain" }, ...numbers], rows);
}

function leftOutTable(
  prompts: readonly { nonPrototype: string; domain: string; detail: string }[],
) {
  const reasons = new Map<string, number>();
  for (const { domain, detail } of prompts) {
    const reason = `${domain}: ${detail}`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const most = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 10);
  const rows = most.map(([reason, count]) => [reason, String(count)]);
  return table([{ title: "not written because" }, { title: "prompts", align: "right" }], rows);
}
