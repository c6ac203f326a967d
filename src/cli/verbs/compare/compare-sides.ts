import { type ComparisonOptions, comparison } from "../../../analysis/comparison/comparison.js";
import { type ComparisonRow, inColumns } from "../../../analysis/comparison/comparison-samples.js";
import type { MakingOfImages } from "../../../analysis/comparison/image-making.js";
import {
  drawsByPrompt,
  type PeoplesAnswer,
  peoplesPreference,
  shareByPrompt,
} from "../../../analysis/comparison/people-preference.js";
import {
  type ComparedSides,
  type SidesFound,
  sidesView,
} from "../../../conclusions/compare/sides-view.js";
import { InputError } from "../../../core/errors.js";
import { asJson, type JsonObject } from "../../../core/json.js";
import { publishedLine } from "../../../evidence/card-notes.js";
import { pluralText } from "../../../views/number-text.js";
import type { ViewWithData } from "../../../views/view.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { type AskedPeople, askPeople, refuseTaken } from "./ask-people.js";
import { type PairedItems, pairItems } from "./pair-items.js";
import { peoplesLabels } from "./peoples-labels.js";
import { type MetricScores, type PairScoring, scorePairs } from "./score-pairs.js";
import { makingOfItems, sideItems, type TwoSides } from "./side-items.js";

/** What a command line asks of two sides of images. */
export interface SidesRequest extends PairScoring {
  readonly prompts: string | undefined;
  readonly map: readonly string[];
  readonly "allow-outside": boolean;
  /** Tables and studies with what people said. */
  readonly labels: readonly string[];
  readonly ask: number | undefined;
  readonly seed: number;
}

/** What is known of two sides, in the forms in which it is shown. */
export interface SidesConclusion {
  readonly found: SidesFound;
  readonly view: ViewWithData;
  readonly json: JsonObject;
  readonly asked: AskedPeople | undefined;
  readonly making: readonly MakingOfImages[];
  /** Pairs, scores and answers behind it, for a page. */
  readonly behind: {
    readonly pairs: PairedItems["pairs"];
    readonly metrics: readonly MetricScores[];
    readonly answers: readonly PeoplesAnswer[];
  };
}

/**
 * Which of two sides of images is better: pairs them, scores the pairs, joins what people said, and concludes; with
 * `ask` it also makes a study that asks people.
 *
 * @throws InputError where nothing pairs, where a metric lacks the prompts, and where the study is there already; else as
 *   scoring does.
 */
export async function compareSides(
  sides: TwoSides,
  {
    given,
    options,
    words,
    goOn,
    environment,
    output,
  }: {
    readonly given: SidesRequest;
    readonly options: ComparisonOptions;
    readonly words: readonly string[];
    /** The words after `touchstone` that read the answers of a study that `ask` makes. */
    readonly goOn: (study: string) => readonly string[];
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<SidesConclusion> {
  const [a, b] = sides;
  // Before anything is paid for.
  if (given.ask !== undefined) await refuseTaken(sides, environment);
  const reading = {
    environment,
    map: given.map,
    allowOutside: given["allow-outside"],
    prompts: given.prompts,
  };
  const [one, other] = [await sideItems(a.source, reading), await sideItems(b.source, reading)];
  const paired = pairItems(sides, [one, other]);
  const { pairs } = paired;
  for (const note of new Set([...one.notes, ...other.notes])) output.note(note);
  const wantsScores = given.metric.length > 0 || given.model.length > 0;
  if (wantsScores && !paired.hasTexts) {
    throw new InputError(
      `Expected a prompt for each image to score but ${a.source} and ${b.source} say none`,
      {
        hint: "One a line in the order of the images' names, or a table (file_name, prompt): --prompts prompts.txt",
      },
    );
  }
  const { answers, notes } =
    given.labels.length === 0
      ? { answers: [], notes: [] }
      : await peoplesLabels(given.labels, { sides, pairs, environment });
  const scores = wantsScores
    ? await scorePairs(pairs, sides, { given, words, environment, output })
    : undefined;
  const names = [a.name, b.name] as const;
  const of = new Set(pairs.map(({ prompt }) => prompt)).size;
  const people = answers.length === 0 ? undefined : peoplesPreference(answers, { ...options, of });
  const metrics = scores?.metrics ?? [];
  const compared = metrics.map(({ metric, rows }): ComparedSides => {
    const labelled = withAnswers(rows, { answers, names });
    const { name, direction, model, convention, template, statistic, version, range } = metric;
    const prompts = labelled.map(({ prompt }) => prompt);
    const columns = { ...inColumns(labelled), draws: drawsByPrompt(prompts, answers) };
    const { scores: _, ...found } = comparison(columns, {
      ...options,
      metric:
        metrics.filter((each) => each.metric.name === name).length > 1
          ? `${name} (${model})`
          : name,
      direction,
      range,
      measure: { model, convention, template, statistic, metricVersion: String(version), range },
    });
    return {
      found,
      // Of the lab's models published answers say nothing.
      evidence: model.startsWith("lab:") ? undefined : publishedLine(name),
      agreement: agreementOf(labelled, direction === "higher" ? 1 : -1),
    };
  });
  const asked =
    given.ask === undefined
      ? undefined
      : await askPeople(pairs, {
          sides,
          ask: given.ask,
          seed: given.seed,
          scored: metrics[0],
          answers,
          goOn,
          environment,
          output,
        });
  const [leftOfA, leftOfB] = paired.left;
  const found: SidesFound = {
    names,
    compared,
    people,
    pairing: pairingText(paired, names),
    notes: [...paired.notes, ...notes],
  };
  const view = sidesView(found);
  const verdict =
    compared.length === 0 && people === undefined
      ? `${pluralText(pairs.length, "pair")} of ${a.name} and ${b.name}; nothing judged them yet.`
      : view.verdict;
  const [first, ...others] = compared;
  const json = {
    ...(first === undefined ? {} : asJson(first.found)),
    ...(others.length === 0 ? {} : { others: others.map((each) => asJson(each.found)) }),
    paired: {
      by: paired.by,
      n: pairs.length,
      leftOver: { [a.name]: leftOfA, [b.name]: leftOfB },
    },
    ...(people === undefined ? {} : { people: asJson(people) }),
    ...(compared.length === 0
      ? {}
      : {
          evidence: Object.fromEntries(
            compared.map((each) => [each.found.metric, each.evidence ?? null]),
          ),
        }),
    ...(scores === undefined ? {} : { sanity: scores.sanity.json }),
    ...(scores?.run === undefined ? {} : { run: scores.run }),
    ...(asked === undefined ? {} : { study: { ...asked } }),
    verdict,
  };
  return {
    found,
    view: {
      ...view,
      verdict,
      findings: [
        ...(view.findings ?? []),
        ...(scores === undefined || given["no-sanity"] ? [] : [scores.sanity.verdict]),
      ],
    },
    json,
    asked,
    making: makingOfItems(sides, [one, other]),
    behind: { pairs, metrics, answers },
  };
}

/** @example "Paired 200 images by file name; 3 of A and none of B are left over." */
function pairingText(
  { by, pairs, left: [ofA, ofB] }: PairedItems,
  [a, b]: readonly [string, string],
): string {
  const words = {
    "file name": "file name",
    "metadata.jsonl": "the texts of metadata.jsonl",
    prompt: "prompt",
  };
  const over =
    ofA + ofB === 0
      ? "none is left over"
      : `left over: ${pluralText(ofA, "image")} of ${a}, ${pluralText(ofB, "image")} of ${b}`;
  return `${pluralText(pairs.length, "pair")} by ${words[by]}; ${over}.`;
}

/** Rows with the share of people's answers that prefer their image (ties half). */
function withAnswers(
  rows: readonly ComparisonRow[],
  {
    answers,
    names,
  }: { readonly answers: readonly PeoplesAnswer[]; readonly names: readonly [string, string] },
): readonly ComparisonRow[] {
  if (answers.length === 0) return rows;
  const shares = shareByPrompt(answers);
  return rows.map((row) => {
    const share = shares.get(row.prompt);
    if (share === undefined) return row;
    return { ...row, human: row.model === names[0] ? share : 1 - share };
  });
}

/** On how many of the prompts that people and the metric both decide they say the same. */
function agreementOf(
  rows: readonly ComparisonRow[],
  sign: 1 | -1,
): { readonly n: number; readonly agreeing: number } {
  const sums = new Map<string, { score: number; human: number }>();
  const [first] = rows;
  const lacking = new Set<string>();
  for (const { model, prompt, score, human } of rows) {
    if (score === null || human === undefined || human === null) {
      lacking.add(prompt);
      continue;
    }
    const side = model === first?.model ? 1 : -1;
    const found = sums.get(prompt) ?? { score: 0, human: 0 };
    sums.set(prompt, { score: found.score + side * score, human: found.human + side * human });
  }
  let n = 0;
  let agreeing = 0;
  for (const [prompt, { score, human }] of sums) {
    if (lacking.has(prompt) || score === 0 || human === 0) continue;
    n++;
    if (Math.sign(sign * score) === Math.sign(human)) agreeing++;
  }
  return { n, agreeing };
}
