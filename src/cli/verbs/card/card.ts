import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makingOfImages } from "../../../analysis/comparison/image-making.js";
import type { TieOptions } from "../../../analysis/pairs/score-ties.js";
import { type Sanity, sanityVerdict } from "../../../analysis/sanity/sanity-text.js";
import { type TrustCard, trustCard } from "../../../analysis/trust-card/trust-card.js";
import type { ReportedRun } from "../../../benchmarks/run-records.js";
import cardOfTable, { tableCards } from "../../../conclusions/card/card.js";
import { type CardFile, cardFileVersion } from "../../../conclusions/card/card-file.js";
import { readCardTable } from "../../../conclusions/card/columns.js";
import {
  besideFigure,
  cardsView,
  countsText,
  figureText,
  measuredFigures,
  methodsText,
  notesOf,
  otherFigures,
  statusText,
} from "../../../conclusions/card/view.js";
import { tieOptions } from "../../../conclusions/shared-options.js";
import type { GivenTable } from "../../../conclusions/table-options.js";
import { append } from "../../../core/arrays.js";
import { InputError } from "../../../core/errors.js";
import { asJson, canonicalJson } from "../../../core/json.js";
import { hashOf } from "../../../core/keys.js";
import { listText } from "../../../core/phrases.js";
import type { RecordStore } from "../../../core/record-store.js";
import {
  evidenceOf,
  withEvidence,
  withSanity,
  withSight,
  withUnseenDetails,
} from "../../../evidence/card-notes.js";
import { sha256Of } from "../../../evidence/locate-files.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { sanityOfRun } from "../../../runs/run-sanity.js";
import { briefBoundNote, pluralText } from "../../../views/number-text.js";
import { printable } from "../../../views/printable.js";
import type { Card } from "../../../views/report.js";
import { dataCells } from "../../../views/view.js";
import { command } from "../../command-line/command.js";
import { checkOpen, openWhere } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { filesOf } from "../../conclusions/conclusion-command.js";
import { fileWriter } from "../../conclusions/conclusion-file.js";
import { imagesOfRecords, makingText, withMaking } from "../../conclusions/making-below.js";
import type { Environment } from "../../environment.js";
import { loadLab } from "../../lab.js";
import { version } from "../../program.js";
import type { Output } from "../../terminal/output.js";
import type { Style } from "../../terminal/style.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";
import { isRun } from "../score/score-run.js";
import type { AskedMetric } from "./ask-lab.js";
import { type CardGiven, cardArguments } from "./card-arguments.js";

export default command({
  description: cardOfTable.description,
  examples: cardOfTable.examples,
  arguments: cardArguments,
  async run({ given, environment, output, words }) {
    const { source, seed, resamples } = given;
    checkOpen(given);
    const write = await fileWriter(
      { out: given.out, file: source === undefined ? [] : [source] },
      environment,
    );
    refuseIdleFlags(given);
    const options = { seed, resamples, ...tieOptions(given) };
    const run =
      source !== undefined && (await isRun(source, environment))
        ? await openStore(runPlace(source, environment))
        : undefined;
    const { cards: measured, models } =
      source === undefined
        ? await labCards(refuseUnfiltered(given), { environment, output, options })
        : {
            models: undefined,
            cards:
              run !== undefined
                ? await runCards(run, { name: source, unfiltered: given.unfiltered, ...options })
                : await cardsOf(
                    refuseUnfiltered({ ...given, file: [source] }),
                    environment,
                    output,
                  ),
          };

    const evidence = evidenceOf(measured);
    const cards = measured.map((card) => withEvidence(card, evidence));
    const making = makingOfImages(run === undefined ? [] : await imagesOfRecords(run));
    const { data, ...view } = withMaking(cardsView(cards), making);
    const sanity = models && { models, verdict: sanityVerdict({ models, metrics: {} }) };
    const json = asJson({
      cards,
      verdict: view.verdict,
      ...(await fileHead(source, { run, environment })),
      evidence,
      ...(sanity && { sanity }),
      ...(run && { making }),
    });
    const again = shellWords(["touchstone", ...words({ out: undefined, open: false })]);
    await write({
      json: () => json,
      view,
      command: again,
      table: () => dataCells(data),
      async page() {
        const { cardPage } = await import("../../../report/pages/card-page.js");
        const [only] = cards.length === 1 ? cards : [];
        const title = only === undefined ? "Trust cards" : `Trust card: ${only.subject.name}`;
        const { unfiltered } = given;
        const pair =
          run === undefined || source === undefined
            ? {}
            : await runPair(run, {
                name: source,
                unfiltered,
                resamples,
              });
        return cardPage(cards, { title, command: again, making, ...pair });
      },
    });
    output.resultJson(json);
    const below = makingText(making, output.style);
    output.result(`${cardText(cards, output.style)}${below === "" ? "" : `\n\n${below}`}`);
    if (given.out !== undefined) output.note(`Wrote ${given.out}`);
    openWhere(given, environment);
    output.nextCommand(
      words(
        given.out === undefined || !given.out.endsWith(".html")
          ? { out: "card.html" }
          : { out: undefined, open: false, json: true },
      ),
    );
  },
});

interface Making {
  readonly environment: Environment;
  readonly options: TieOptions & { readonly seed: number; readonly resamples: number };
}

/** A flag that would change nothing is an error, not a silence. */
function refuseIdleFlags(given: CardGiven): void {
  const { source, metric, model, judge, run, map, format } = given;
  const isAsked = metric.length > 0 || model.length > 0 || judge.length > 0;
  const isLooking = given["no-sanity"] || given["allow-blind"];
  if (source === undefined && !isAsked) {
    throw new InputError("Expected a run, a table, or --metric and --model, but received none", {
      hint: "touchstone card --metric vqa-score --model lab:vqa",
    });
  }
  if (source !== undefined && (isAsked || run !== undefined)) {
    throw new InputError(`Expected either ${source} or --metric and --model but received both`, {
      hint: "A card of a run or a table asks no model.",
    });
  }
  if (source !== undefined && isLooking) {
    throw new InputError(
      `Expected no --no-sanity and --allow-blind for ${source} but received one of them`,
      { hint: "A card of a run or a table asks no model." },
    );
  }
  if (source === undefined && (map.length > 0 || format !== undefined)) {
    throw new InputError("Expected a table for --map and --format but received none");
  }
}

/** A table has no filter to leave out, and neither have pictures of the lab. */
function refuseUnfiltered<Kept extends Pick<CardGiven, "unfiltered">>(given: Kept): Kept {
  if (!given.unfiltered) return given;
  throw new InputError("Expected a run for --unfiltered but received none", {
    hint: "Only runs have a filter.",
  });
}

const cardsOf = async (given: CardGiven & GivenTable, environment: Environment, output: Output) =>
  tableCards(await readCardTable(given, filesOf(environment, output)), given);

async function runCards(
  run: RecordStore,
  { name, ...options }: Making["options"] & { readonly name: string; readonly unfiltered: boolean },
): Promise<TrustCard[]> {
  const { runTrustCards } = await import("../../../benchmarks/run-cards.js");
  const cards = await runTrustCards(run, name, options);
  const sanity = await sanityOfRun(run);
  return sanity === undefined ? cards : cards.map((card) => withSanity(card, sanity));
}

async function labCards(
  given: CardGiven,
  { environment, output, options }: Making & { readonly output: Output },
): Promise<{ readonly cards: TrustCard[]; readonly models: Sanity["models"] }> {
  const { run, pictures, wordings, seed, judge, metric, model } = given;
  const found: AskedMetric[] = [];
  if (metric.length > 0 || model.length > 0) {
    const { askLab } = await import("./ask-lab.js");
    append(found, await askLab(given, { environment, output }));
  }
  if (judge.length > 0) {
    const { askJudges } = await import("./ask-judge.js");
    append(found, await askJudges(given, { environment, output }));
  }
  const { smallestThing } = await loadLab();
  const cards = found.map(({ subject, rows, models }) => {
    const kept = run === undefined ? "" : `, kept in ${join(run, "card-scores.jsonl")}`;
    const many =
      subject.isPairwise === true
        ? `${pictures} captions for either kind of pair, ${pluralText(wordings, "wording")} in both orders`
        : `${pictures} for each figure`;
    const source = `pictures of the lab (${many}, seed ${seed}${kept})`;
    const card = trustCard(rows, { ...subject, source, ...options });
    return withSight(withUnseenDetails(card, { models, smallestThing }), models);
  });
  return { cards, models: Object.assign({}, ...found.map(({ models }) => models)) };
}

/** Cards on a terminal: the verdict, a line for each figure, and what is missing. */
function cardText(cards: readonly TrustCard[], style: Style): string {
  const shown = cards.map((card) => oneCard(card, style));
  const method = methodsText(cards) + briefBoundNote(shown.join());
  return [...shown, style.dim(wrap(printable(method), style.width))].join("\n\n");
}

function oneCard(card: TrustCard, style: Style): string {
  const { width } = style;
  const others = missingLines(card).map((line) =>
    wrap(printable(line), width - 2).replaceAll("\n", "\n  "),
  );
  return [
    style.bold(wrap(printable(card.verdict), width)),
    table(
      [
        ...[
          { title: "figure" },
          { title: "result" },
          { title: "value [95 % interval]", align: "right" as const },
        ],
        ...[{ title: "expected" }, { title: "of" }],
      ],
      measuredFigures(card).flatMap((figure) => [
        [
          figure.title,
          statusText[figure.status],
          figure.estimate === undefined ? "" : figureText(figure.estimate),
          figure.judgedBy === undefined ? (figure.expectation?.text ?? "") : "",
          countsText(figure),
        ],
        ...besideFigure(figure).map(({ estimate, isJudged }) => [
          `  ${estimate.name}`,
          "",
          figureText(estimate),
          isJudged ? (figure.expectation?.text ?? "") : "",
        ]),
      ]),
      width,
    ),
    ...(others.length === 0 ? [] : [others.join("\n")]),
    ...notesOf([card]).map((note) => wrap(printable(note), width)),
    ...card.warnings.map((warning) => wrap(`Caveat: ${printable(warning)}`, width)),
  ].join("\n\n");
}

/** A line for what was not measured and one for what can't be; each figure's reason stands on the page. */
function missingLines(card: TrustCard): string[] {
  const others = otherFigures(card);
  return [...new Set(others.map(({ status }) => status))].map((status) => {
    const alike = others.filter((one) => one.status === status);
    const [only] = alike;
    const why = alike.length === 1 && only ? only.sentence : "--out card.html says why, for each.";
    return `${statusText[status]}: ${listText(alike.flatMap(({ titles }) => titles))}. ${why}`;
  });
}

/** The pair of images of a run's report, and whether the lab drew it; empty where it has none. */
async function runPair(
  run: ReportedRun,
  options: {
    readonly name: string;
    readonly unfiltered: boolean;
    readonly resamples: number;
  },
): Promise<{ readonly example?: Card; readonly isFromLab?: boolean }> {
  const { benchmarkOf } = await import("../../../benchmarks/benchmarks.js");
  const benchmark = benchmarkOf(run.recipe);
  const report = await benchmark?.report?.(await benchmark.conclude(run, options));
  return report?.pair === undefined ? {} : { example: report.pair, isFromLab: report.isFromLab };
}

/** What a card file says beside its cards: its format, and what they were made of, by hash (of a run, that of its recipe, which determines its records). */
async function fileHead(
  source: string | undefined,
  of: {
    readonly run: Pick<RecordStore, "recipe"> | undefined;
    readonly environment: Environment;
  },
): Promise<Pick<CardFile, "format" | "version" | "software" | "inputs">> {
  return {
    format: "touchstone-card",
    version: cardFileVersion,
    software: `touchstone-t2i ${version()}`,
    inputs: await inputsOf(source, of),
  };
}

async function inputsOf(
  source: string | undefined,
  {
    run,
    environment,
  }: { readonly run: Pick<RecordStore, "recipe"> | undefined; readonly environment: Environment },
): Promise<{ name: string; sha256: string }[]> {
  if (source === undefined || source === "-") return [];
  if (run !== undefined) {
    const text = canonicalJson(asJson(run.recipe));
    return [{ name: source, sha256: hashOf(new TextEncoder().encode(text)) }];
  }
  const path = resolve(environment.workingDirectory, source);
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
  return isFile ? [{ name: source, sha256: await sha256Of(path) }] : [];
}
