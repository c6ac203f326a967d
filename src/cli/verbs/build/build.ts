import { resolve } from "node:path";
import type { Benchmark, BenchmarkBuild } from "../../../benchmarks/benchmark.js";
import { benchmarks } from "../../../benchmarks/benchmarks.js";
import { InputError } from "../../../core/errors.js";
import type { TextFlag } from "../../../core/options.js";
import type { AnyStep, Records } from "../../../core/step.js";
import { failed } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import { countText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { loadLab } from "../../lab.js";
import { exampleChatModel } from "../../models/example-models.js";
import { chooseGenerator } from "../../models/generator-choice.js";
import { hostingFor } from "../../models/hosting.js";
import { chatModelFor } from "../../models/model-for.js";
import type { Output } from "../../terminal/output.js";
import { viewTable } from "../../terminal/terminal-table.js";
import { refuseOtherBenchmark } from "../run/benchmark-of.js";
import { collect } from "../run/collect.js";
import { budgetOf, limitArguments, withoutLimits } from "../run/limits.js";
import { writeTables } from "../run/written-report.js";

type Built = Benchmark & { readonly build: BenchmarkBuild };

const built = benchmarks.filter((benchmark): benchmark is Built => benchmark.build !== undefined);
const [first] = built;
const ownFlags = Object.fromEntries(
  built.flatMap(({ name, build }) =>
    build.flags.map((flag) => [
      flag.name,
      {
        kind: "text",
        ...(flag.isSingle ? {} : { repeated: true }),
        value: flag.value,
        description: `for ${name}: ${flag.description}`,
      } as const satisfies TextFlag,
    ]),
  ),
);

export default command({
  description: `Builds the prompts of a benchmark into a run. ${built
    .map(({ name, build }) => `${name}: ${build.description}.`)
    .join(" ")}`,
  examples: [
    "touchstone build --run runs/benchmark --prompts 200 --drawable-by lab:painter --split evaluation",
    "touchstone build --run runs/paper-size",
    "touchstone build --benchmark attribute-confusion --run runs/outfits --set outfits",
    `touchstone build --run runs/written --prompts 60 --writer ${exampleChatModel} --max-cost 1`,
    "touchstone build --run runs/own --taxonomy taxonomy.yaml --prompts 60 --lint",
    "touchstone build --benchmark preference --run runs/pairs --prompts 300 --style noto --style fluent",
  ],
  arguments: {
    benchmark: {
      kind: "choice",
      choices: built.map(({ name }) => name),
      default: first?.name ?? "",
      description: "the benchmark",
    },
    run: {
      kind: "text",
      value: "DIR",
      default: "runs/benchmark",
      description: "the folder of the run",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      default: 0,
      description:
        "the random seed of the selection and the splits: build the splits of one benchmark with one seed",
    },
    prompts: {
      kind: "number",
      integer: true,
      minimum: 1,
      description:
        "the total number of prompts; prototypicality spreads them evenly over domains (if a " +
        "domain has too few, the others get more)",
    },
    ...ownFlags,
    "drawable-by": {
      kind: "text",
      value: "PROVIDER:MODEL",
      description: "build only prompts that this generator can draw, and list the excluded pairs",
    },
    lint: {
      kind: "switch",
      description: "check the files that are named, say what would be built, and build nothing",
    },
    ...limitArguments,
  },
  async run({ given, environment, output, words }) {
    const { run, seed, prompts: count, "drawable-by": drawableBy } = given;
    const benchmark = built.find(({ name }) => name === given.benchmark);
    if (benchmark === undefined) throw new RangeError(`Expected a benchmark: ${given.benchmark}`);
    const { name, build } = benchmark;
    const flags = flagsOf(given);
    refuseIdleFlags(benchmark, { flags, drawableBy });
    const { settings } = await loadConfiguration(environment);
    const hosting = hostingFor(environment, {
      settings: settings.cache,
      maxCost: given["max-cost"],
      tell: output.note,
    });
    let callsAtOnce: number | undefined;
    const world = async () => (await loadLab()).world;
    const { steps, models } = await build.plan({
      seed,
      count,
      flags,
      drawableBy,
      cannotDraw:
        drawableBy === undefined ? undefined : (await chooseGenerator(drawableBy)).cannotDraw,
      world,
      generatorOf: async (model) => (await chooseGenerator(model)).generator,
      async chatModel(text, flag) {
        const chosen = await chatModelFor(text, { flag, settings, hosting });
        callsAtOnce = chosen.callsAtOnce;
        return chosen.model;
      },
      textOf: async (path) => ({
        file: path,
        text: await readTextFile(resolve(environment.workingDirectory, path)).catch(
          failed("read", path),
        ),
      }),
    });
    if (given.lint) {
      await showPlanned(steps, { output, name, words: words({ lint: false }) });
      return;
    }
    const { store } = await collect(
      ({ recipe }) => {
        refuseOtherBenchmark(recipe, benchmark);
        return steps;
      },
      {
        run,
        command: words(withoutLimits, ["run", "seed"]),
        seed,
        ...(models === undefined ? {} : { models }),
        budget: budgetOf(given),
        meter: hosting.meter,
        ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
        environment,
        output,
      },
    );
    const directory = resolve(environment.workingDirectory, run);
    const tables =
      build.isComplete === true
        ? await benchmark.tables?.(store, { name: run, world: await world() })
        : undefined;
    if (tables !== undefined) await writeTables(tables, directory);
    const text = await benchmark.built?.(store, {
      name: run,
      folder: directory,
      count,
      flags,
      drawableBy,
    });
    if (text === undefined) throw new RangeError(`Expected words for what was built: ${name}`);
    output.result(
      text.parts
        .map((part) => (typeof part === "string" ? part : viewTable(part, output.style.width)))
        .join("\n"),
    );
    output.resultJson(text.json);
    output.nextCommand(text.next);
  },
});

/** Lists the values of benchmarks' flags, by name. */
const flagsOf = (
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.keys(ownFlags).map((name) => {
      const values = given[name];
      return [name, values === undefined ? [] : [values].flat().map(String)];
    }),
  );

/** A flag that would change nothing is an error, not a silence. */
function refuseIdleFlags(
  { name, build }: Built,
  {
    flags,
    drawableBy,
  }: {
    readonly flags: Readonly<Record<string, readonly string[]>>;
    readonly drawableBy: string | undefined;
  },
): void {
  const own = build.flags.map((flag) => flag.name);
  const idle = Object.keys(flags).filter(
    (flag) => (flags[flag]?.length ?? 0) > 0 && !own.includes(flag),
  );
  if (drawableBy !== undefined && build.canBeDrawable !== true) idle.push("drawable-by");
  if (idle.length === 0) return;
  throw new InputError(
    `Expected no ${idle.map((flag) => `--${flag}`).join(", ")} for ${name} but received it`,
    { hint: "See: touchstone build --help" },
  );
}

/** Says how many items a benchmark would have, by what they are about; nothing is built. */
async function showPlanned(
  [first]: readonly AnyStep[],
  {
    output,
    name,
    words,
  }: {
    readonly output: Output;
    readonly name: string;
    /** The words after `touchstone` of the build itself. */
    readonly words: readonly string[];
  },
): Promise<void> {
  const nothing: Records = { async *ofType() {} };
  const counts = new Map<string, number>();
  if (first !== undefined) {
    for await (const about of first.plan(nothing)) {
      const group = String("domain" in about ? about.domain : "set" in about ? about.set : name);
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const each = [...counts].map(([group, count]) => `${countText(count)} of ${group}`);
  output.result(`Nothing is wrong. It builds ${countText(all)} items: ${each.join(", ")}.`);
  output.resultJson({ benchmark: name, items: all, by: Object.fromEntries(counts) });
  output.nextCommand(words);
}
