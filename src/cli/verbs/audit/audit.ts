import { resolve } from "node:path";
import type { StereotypeRow } from "../../../analysis/stereotypes/stereotype-row.js";
import { stereotypes } from "../../../benchmarks/stereotypes/benchmark.js";
import type { InjectionEffect } from "../../../benchmarks/stereotypes/injection-probe.js";
import { queryText } from "../../../benchmarks/stereotypes/queries.js";
import { keepRubrics } from "../../../benchmarks/stereotypes/rubrics.js";
import { asJson } from "../../../core/json.js";
import type { Arguments } from "../../../core/options.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { Foreseen } from "../../../core/step.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { hasStore, openDocuments, openStore, runPlace } from "../../../files/open-store.js";
import { rowsWriter } from "../../../files/rows-file.js";
import { countText } from "../../../views/number-text.js";
import { type CollectedRun, command, type Invocation } from "../../command-line/command.js";
import { checkOut } from "../../command-line/out-path.js";
import {
  detailsArgument,
  outsideArguments,
  sanityArguments,
} from "../../command-line/shared-arguments.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingAsGiven } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/terminal-table.js";
import type { WantedImage } from "../generate/folder-match.js";
import { refuseOtherBenchmark } from "../run/benchmark-of.js";
import { collect } from "../run/collect.js";
import { budgetOf, limitArguments, withoutLimits } from "../run/limits.js";
import { anewWords } from "../run/retry-unscored.js";
import { reportLine, type WrittenReport } from "../run/written-report.js";
import { chooseAuditedGenerators, chooseAuditModels, plannedSteps } from "./audit-models.js";
import { auditFindings, auditText } from "./audit-text.js";
import {
  auditedFolders,
  foldersOfRun,
  lackingText,
  listWanted,
  missingImages,
  tellFolders,
} from "./own-images.js";
import { injectionText, probeInjections } from "./probe-injections.js";
import { type AuditPlan, readAuditConfig } from "./read-audit-config.js";

/** Columns of `analyze stereotypes`. */
const stereotypeColumns = [
  "query",
  "category",
  "model",
  "phase",
  "imageSet",
  "item",
  "present",
] as const satisfies readonly (keyof StereotypeRow)[];

const auditArguments = {
  config: {
    kind: "positional",
    description:
      "a YAML file, such as: {generators: [lab:painter-slight], judge: lab:auditor, refiner: lab:refiner}",
  },
  run: {
    kind: "text",
    value: "DIR",
    default: "runs/audit",
    description: "the folder of the run",
  },
  queries: {
    kind: "text",
    value: "FILE",
    description: "your own queries, instead of those in CONFIG",
  },
  rubrics: {
    kind: "text",
    value: "FILE",
    description: "your own rubrics, instead of those in CONFIG",
  },
  lint: {
    kind: "switch",
    description: "only check CONFIG, queries and rubrics, and count the planned calls",
  },
  out: {
    kind: "text",
    value: "FILE",
    description: "write every answer as a row for analyze stereotypes: .csv, .jsonl or .parquet",
  },
  wanted: {
    kind: "text",
    value: "FILE.csv",
    description:
      "judge nothing; list the images that folder:DIR among the generators lacks: of queries, and " +
      "of refined prompts once there are any",
  },
  "injection-probe": {
    kind: "number",
    integer: true,
    minimum: 1,
    value: "SETS",
    description:
      "also test prompt injection: put instructions into the query and the images of SETS " +
      "image sets, and measure how the judge's answers change (ten calls for each set)",
  },
  "no-cache": {
    kind: "switch",
    description: "ask hosted models again instead of using cached answers",
  },
  ...detailsArgument,
  ...outsideArguments,
  ...sanityArguments,
  ...limitArguments,
} as const satisfies Arguments;

export default command({
  description:
    "Measures stereotypes in generated images by the Social Stereotype Index. Generates " +
    "images of queries (100 come with touchstone) or reads a folder of images, asks a judge " +
    "the questions of a rubric about each image set, has a chat model rewrite each query, " +
    "generates and judges again, and reports what changed, with intervals. CONFIG is YAML: " +
    "generators, judge, refiner and sizes; data/audit.schema.json describes it. Finished " +
    "parts are never repeated.",
  examples: [
    "touchstone audit audit.yaml --run runs/audit",
    "touchstone audit audit.yaml --lint",
    "touchstone audit own-images.yaml --run runs/own --wanted wanted.csv",
    "touchstone audit audit.yaml --run runs/audit --out audit.csv --max-cost 20",
    "touchstone audit audit.yaml --queries my-queries.yaml --rubrics my-rubrics.yaml --run runs/own",
  ],
  arguments: auditArguments,
  async run(invocation) {
    const { given, environment, output, words: wordsOf, makes } = invocation;
    const { workingDirectory } = environment;
    const { config: file, run, queries, rubrics, out } = given;
    const plan = await readAuditConfig({ file, queries, rubrics, workingDirectory });
    const words = wordsOf(collecting, ["run"]);
    if (given.lint) return showLint(plan, { file, words, output });
    const writeRows = out === undefined ? undefined : rowsWriter(out, stereotypeColumns);
    await checkOut(out, {
      inputs: [file, queries, rubrics].filter((one) => one !== undefined),
      workingDirectory,
    });
    const { settings } = await loadConfiguration(environment);
    const hosting = hostingAsGiven(given, { settings, environment, output });
    const configured = settings.models;
    const allowOutside = given["allow-outside"];
    const generators = await chooseAuditedGenerators(plan, { configured, hosting, allowOutside });
    const foldersNow = () => auditedFolders(plan, { generators, run, environment });
    const folders = await foldersNow();
    if (given.wanted !== undefined) {
      return listWanted(given.wanted, { folders, words, workingDirectory, output });
    }
    tellFolders(folders, { output, words });
    const models = await chooseAuditModels(plan, { generators, configured, hosting });
    const budget = budgetOf(given);
    const collected = await collect(
      ({ recipe }) => {
        refuseOtherBenchmark(recipe, stereotypes);
        return plannedSteps(plan, { models, generators, configured, allowOutside });
      },
      {
        run,
        command: [...words, ...anewWords(given)],
        makes: makes({ ...collecting, run: undefined }),
        seed: plan.config.seed,
        models: models.names,
        budget,
        callsAtOnce: models.callsAtOnce,
        environment,
        output,
        meter: hosting.meter,
      },
    ).finally(() => keepAsked(run, environment));
    const sets = given["injection-probe"];
    await conclude(invocation, collected, {
      writeRows,
      lacking: async () => missingImages(await foldersNow()),
      injections: async ({ store }) =>
        sets === undefined
          ? undefined
          : probeInjections(store, {
              ...plan,
              wording: plan.wording.judge,
              judge: models.judge,
              sets,
              output,
              signal: environment.signal,
              budget,
            }),
    });
  },
  make: async (invocation, { hosting }) => ({
    async conclude(collected) {
      const { given, environment } = invocation;
      await keepAsked(given.run, environment);
      await conclude(invocation, collected, {
        lacking: async () =>
          missingImages(
            await foldersOfRun(collected.store, { run: given.run, hosting, environment }),
          ),
      });
    },
  }),
});

/** Prints and writes what an audit comes to. */
async function conclude(
  { given: { run, out, details }, environment, output, words: wordsOf }: AuditInvocation,
  collected: CollectedRun,
  {
    writeRows,
    lacking: findLacking,
    injections: probe,
  }: {
    readonly writeRows?: ReturnType<typeof rowsWriter> | undefined;
    /** Finds the images that folders of images lack. */
    lacking(): Promise<readonly WantedImage[]>;
    injections?(collected: CollectedRun): Promise<InjectionEffect[] | undefined>;
  },
): Promise<void> {
  const { store, summaries } = collected;
  output.progress("Drawing conclusions …");
  const { rows, ...findings } = await auditFindings(store);
  if (out !== undefined && writeRows !== undefined) {
    await writeFileAtomically(
      resolve(environment.workingDirectory, out),
      await writeRows(rows.map((row) => ({ ...row }))),
    );
    output.note(`Wrote ${rows.length} rows to ${out}`);
  }
  const injections = await probe?.(collected);
  const report = rows.length === 0 ? undefined : await reported(store, { run, environment });
  const { verdict = [] } = report ?? {};
  const lacking = await findLacking();
  const texts = [
    auditText({ rows, ...findings }, { verdict, style: output.style, details }),
    ...(report === undefined ? [] : [reportLine(report)]),
    ...(injections === undefined ? [] : [injectionText(injections, output.style)]),
    ...lackingText(lacking, output.style.width),
  ];
  output.result(texts.join("\n\n"));
  output.resultJson(
    asJson({
      run,
      steps: summaries,
      rows: rows.length,
      ...findings,
      missingImages: lacking.length,
      ...(report === undefined ? {} : { report: report.path, verdict: report.verdict }),
      ...(injections === undefined ? {} : { injections }),
      ...(out === undefined ? {} : { out }),
    }),
  );
  if (lacking.length > 0) {
    return output.nextCommand([...wordsOf(collecting, ["run"]), "--wanted", "wanted.csv"]);
  }
  output.nextCommand(
    out === undefined
      ? ["study", "page", "--audit", run, "--out", "sheet.html"]
      : ["analyze", "stereotypes", out],
  );
}

type AuditInvocation = Invocation<typeof auditArguments>;

/** Leaves out what changes nothing in what is collected. */
const collecting = {
  lint: false,
  out: undefined,
  wanted: undefined,
  "injection-probe": undefined,
  "no-cache": false,
  details: false,
  ...withoutLimits,
};

/** Keeps the rubrics that images were asked about beside the run, also of one that was stopped. */
async function keepAsked(run: string, environment: Environment): Promise<void> {
  const place = runPlace(run, environment);
  if (await hasStore(place))
    await keepRubrics(await openStore(place, { mayLack: true }), openDocuments(place));
}

/** Its page draws plots, which --lint needs nothing of. */
async function reported(
  store: RecordStore,
  { run, environment }: { readonly run: string; readonly environment: Environment },
): Promise<WrittenReport> {
  const { reportRun } = await import("../run/written-report.js");
  return reportRun(store, { run, environment });
}

/** Says what a configuration, its queries and its rubrics hold. Wrong ones were refused before. */
function showLint(
  { config, queries, rubrics }: AuditPlan,
  {
    file,
    words,
    output,
  }: {
    readonly file: string;
    /** The words after `touchstone` of the audit itself. */
    readonly words: readonly string[];
    readonly output: Output;
  },
): void {
  const categories = [...new Set(queries.map(({ category }) => category))];
  const rows = categories.map((category) => {
    const own = queries.filter((query) => query.category === category);
    const [first] = own;
    const names = [...new Set(own.map(({ rubric }) => rubric))];
    return {
      category,
      queries: Math.min(own.length, config.queriesPerCategory ?? own.length),
      languages: [...new Set(own.map(({ language }) => language))],
      rubrics: names.map((name) => ({ name, items: rubrics.get(name)?.items.length ?? 0 })),
      example: first === undefined ? "" : queryText(first),
    };
  });
  const asked = rows.reduce((sum, row) => sum + row.queries, 0);
  const phases = config.refiner === undefined ? 1 : 2;
  const sets = asked * config.generators.length * phases;
  const images = sets * config.images;
  const judged = (config.unit === "set" ? sets : images) * config.trials;
  const unknown = { calls: null, cost: null };
  const ahead: readonly Foreseen[] = [
    { what: "Making images", tasks: images, ...unknown },
    { what: "Asking the judge", tasks: judged, ...unknown },
  ];
  output.result(
    [
      table(
        [
          { title: "category" },
          { title: "queries", align: "right" },
          { title: "languages" },
          { title: "rubric (items)" },
          { title: "for example" },
        ],
        rows.map((row) => [
          row.category,
          countText(row.queries),
          row.languages.join(", "),
          row.rubrics.map(({ name, items }) => `${name} (${items})`).join(", "),
          row.example,
        ]),
        output.style.width,
      ),
      "",
      `Nothing is wrong. It makes ${countText(images)} images and asks the judge ${countText(judged)} times.`,
    ].join("\n"),
  );
  output.resultJson({
    file,
    categories: rows,
    images,
    judgements: judged,
    forecast: asJson(ahead),
  });
  output.nextCommand(words);
}
