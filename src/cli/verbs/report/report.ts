import { relative, resolve } from "node:path";
import { sanityOnPage } from "../../../analysis/sanity/sanity-text.js";
import { benchmarkOf, benchmarks } from "../../../benchmarks/benchmarks.js";
import { isPaintedByLab } from "../../../benchmarks/world.js";
import { tieArguments, tieOptions } from "../../../conclusions/shared-options.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import type { RecordStore } from "../../../core/record-store.js";
import { openDocuments, openStore, runPlace } from "../../../files/open-store.js";
import { reportPage } from "../../../report/pages/report-page.js";
import { brokenImages } from "../../../runs/broken-images.js";
import { sanityOfRun } from "../../../runs/run-sanity.js";
import { reportMarkdown } from "../../../views/markdown.js";
import { argumentWords } from "../../command-line/argument-words.js";
import { command } from "../../command-line/command.js";
import {
  failOnArguments,
  openArgument,
  openWhere,
  refuseDefects,
  runArgument,
  unfilteredArgument,
} from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { scoreWords } from "../generate/into-run.js";
import { unfitRun, worldOf } from "../run/benchmark-of.js";
import { reportLine, verdictText, writeReport, writeTables } from "../run/written-report.js";
import { standingChapters } from "./standing-chapters.js";

export default command({
  description:
    "Makes the report of a run: one HTML file that opens from the disk, loads nothing from a " +
    "network and runs no script. It starts with the verdict, then shows failure rates beside " +
    "their controls or the attribute swap test, the paper's claims, images, the largest " +
    "disagreements between metrics, unscored records, and how every number was made.",
  examples: [
    "touchstone report runs/demo",
    "touchstone report runs/demo --out report.md",
    "touchstone report runs/outfits --tables tables",
  ],
  arguments: {
    run: runArgument,
    out: {
      kind: "text",
      value: "FILE",
      description:
        "the file to write: a page (.html), or its words and tables (.md) (default: report.html in the run; " +
        "with --unfiltered or --keep-from a page of its own beside it)",
    },
    ...openArgument,
    tables: {
      kind: "text",
      value: "DIR",
      description:
        "also write the rows behind the report. Prototypicality: contrastive.csv (triplets), for " +
        "analyze contrastive. Attribute confusion: swap.csv (images that " +
        "the swap test counts) and swap-all.csv (all images), for card and analyze contrastive; " +
        "correlation.csv, correlation-precision.csv and correlation-recall.csv, for analyze " +
        "correlation --target f1, precision and recall; questions-METRIC.csv, for analyze " +
        "attributes",
    },
    ...unfilteredArgument,
    "keep-from": {
      kind: "number",
      minimum: 1,
      maximum: 10,
      value: "N",
      description:
        "for a run with a filter: the lowest rating that both images of a pair need to be kept",
    },
    ...tieArguments,
    ...failOnArguments,
  },
  async run({ given, environment, output, words }) {
    const { workingDirectory } = environment;
    const place = runPlace(given.run, environment);
    if (given.out !== undefined && !/\.(html?|md)$/i.test(given.out)) {
      throw new InputError(
        `Expected a file that ends in .html or .md for --out but received "${given.out}"`,
      );
    }
    const run = await openStore(place);
    const benchmark = benchmarkOf(run.recipe);
    if (benchmark?.report === undefined) throw unfitRun(run.recipe, "with a report");
    if (given.tables !== undefined && benchmark.tables === undefined) {
      const names = benchmarks.flatMap(({ name, report, tables }) =>
        report !== undefined && tables !== undefined ? [name] : [],
      );
      throw new InputError(
        `Expected a run of ${names.join(" or ")} for --tables but received another`,
      );
    }
    const ties = tieOptions(given);
    const { unfiltered, "keep-from": keepFrom } = given;
    if (keepFrom !== undefined && (unfiltered || benchmark.hasFilter !== true)) {
      throw new InputError(
        `Expected no --keep-from ${unfiltered ? "with --unfiltered" : `for a run of ${benchmark.name}, which has no filter,`} but received it`,
      );
    }
    const refused = [
      {
        flag: "tie-tolerance",
        isGiven: ties.tieTolerance !== undefined,
        why: benchmark.refuses?.tieTolerance,
      },
      { flag: "unfiltered", isGiven: unfiltered, why: benchmark.refuses?.unfiltered },
    ].find(({ isGiven, why }) => isGiven && why !== undefined);
    if (refused !== undefined) {
      throw new InputError(
        `Expected no --${refused.flag} for a run of ${benchmark.name}: ${refused.why}`,
      );
    }
    output.progress("Reading the images …");
    await refuseBrokenImages(run, given.run);
    output.progress("Drawing the conclusions …");
    const options = {
      name: given.run,
      unfiltered,
      keepFrom,
      ...ties,
      world: await worldOf(run.recipe),
      documents: openDocuments(place),
    };
    const made = await benchmark.report(await benchmark.conclude(run, options));
    const sanity = await sanityOfRun(run);
    output.progress("Drawing the plots …");
    const { run: name, out } = given;
    const { verdict, example, overview, report } = made;
    const written = await writeReport(
      {
        verdict,
        overview,
        async page(to) {
          const whole = report(await standingChapters(place, to));
          return out !== undefined && /\.md$/i.test(out)
            ? reportMarkdown(whole, shellWords(["touchstone", ...words()]))
            : reportPage(whole, { sanity: sanity && sanityOnPage(sanity) });
        },
      },
      { run: name, name: pageOf(given), out, environment },
    );
    const tables = given.tables === undefined ? undefined : await benchmark.tables?.(run, options);
    const files =
      given.tables === undefined || tables === undefined
        ? []
        : await writeTables(tables, resolve(workingDirectory, given.tables));
    output.result(
      [
        ...[verdictText(verdict, output.style.width), "", reportLine(written)],
        ...files.map((file) => `Table: ${relative(workingDirectory, file)}`),
      ].join("\n"),
    );
    const { path, bytes } = written;
    openWhere({ open: given.open, out: path }, environment);
    const told = sanity === undefined ? null : asJson(sanity);
    if (output.json) {
      output.resultJson({ path, bytes, verdict, ...made.json(), sanity: told, tables: files });
    }
    if (given.tables !== undefined && tables?.card !== undefined) {
      const { file, direction } = tables.card;
      // A card of a table takes one direction for all of its metrics; that of a run has each one's.
      const words =
        direction === undefined
          ? [given.run, ...(unfiltered ? ["--unfiltered"] : [])]
          : [
              relative(workingDirectory, resolve(workingDirectory, given.tables, file)),
              ...(direction === "lower" ? ["--direction", "lower"] : []),
            ];
      output.nextCommand(["card", ...words, ...argumentWords(tieArguments, given)]);
    } else {
      output.nextCommand(
        example === undefined
          ? run.recipe.steps.some(({ name }) => name.startsWith("score"))
            ? ["studio", given.run]
            : await scoreWords(given.run, isPaintedByLab(run.recipe), environment)
          : ["run", "explain", example.slice(0, 12), "--run", given.run],
      );
    }
    refuseDefects(given["fail-on"], sanity);
  },
});

/** What is concluded from other images than the run's own filter keeps never takes its report's place. */
function pageOf(given: {
  readonly unfiltered: boolean;
  readonly "keep-from": number | undefined;
}): string | undefined {
  if (given.unfiltered) return "report-unfiltered.html";
  const { "keep-from": keepFrom } = given;
  return keepFrom === undefined ? undefined : `report-keep-from-${keepFrom}.html`;
}

/** Nothing is said of images that are not those that were scored. */
async function refuseBrokenImages(run: RecordStore, name: string): Promise<void> {
  const broken = await brokenImages(run.blobs, run.ofType("image"));
  if (broken.length === 0) return;
  throw new InputError(
    `Expected the images of ${name} as they were collected, but ${broken.length} ` +
      `${broken.length === 1 ? "is" : "are"} gone or damaged`,
    {
      problems: broken.map(({ key, problem }) => `record ${key}: ${problem}`),
      hint: `Put them back, or make them anew: ${shellWords(["touchstone", "run", "resume", name])}`,
    },
  );
}
