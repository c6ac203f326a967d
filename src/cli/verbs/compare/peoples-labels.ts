import { dirname, resolve } from "node:path";
import { meanOf } from "../../../analysis/comparison/comparison-samples.js";
import type { AnswerDraw, PeoplesAnswer } from "../../../analysis/comparison/people-preference.js";
import { InputError } from "../../../core/errors.js";
import { studyPlace } from "../../../files/open-store.js";
import { readTable } from "../../../files/read-table.js";
import { kindAt } from "../../../files/regular-file.js";
import { hasStudy, openStudy } from "../../../studies/home/open-study.js";
import { collect } from "../../../studies/tables/counted-answers.js";
import { exportTable, hasTable } from "../../../studies/tables/export-table.js";
import { isNotAvailable } from "../../../tables/columns.js";
import { pluralText } from "../../../views/number-text.js";
import type { Environment } from "../../environment.js";
import { cellText, stem } from "./given-prompts.js";
import type { ItemPair } from "./pair-items.js";
import type { TwoSides } from "./side-items.js";

const preferredColumns = ["preferred", "preference", "winner"];
const valueColumns = ["value", "human", "rating"];
const answerColumns = [...preferredColumns, ...valueColumns];

/** What people said of pairs of images. */
export interface PeoplesLabels {
  readonly answers: readonly PeoplesAnswer[];
  readonly notes: readonly string[];
}

/** A row of labels, and the folders that its paths may be relative to. */
interface LabelRow {
  readonly all: Readonly<Record<string, unknown>>;
  readonly place: string;
}

/**
 * What people said of pairs of images, from tables or studies: rows `{prompt or image, preferred}`, where `preferred` is
 * a side's name or tie; the same with columns a and b, which name the sides, as a study exports them; or `{image,
 * value}`, of which both images of a pair are needed. They are joined by prompt or image. Rows without an answer, and
 * rows of other images or models, are left out and counted. Rows that `label plan` drew keep their draws.
 *
 * @throws InputError where a file has neither, or none of its rows is about one of the pairs.
 */
export async function peoplesLabels(
  sources: readonly string[],
  {
    sides,
    pairs,
    environment,
  }: {
    readonly sides: TwoSides;
    readonly pairs: readonly ItemPair[];
    readonly environment: Environment;
  },
): Promise<PeoplesLabels> {
  const answers: PeoplesAnswer[] = [];
  const notes: string[] = [];
  for (const source of sources) {
    const { rows, note } = await labelRows(source, environment);
    const found = joined(rows, { source, sides, pairs, environment });
    for (const answer of found.answers) answers.push(answer);
    if (note !== undefined) notes.push(note);
    if (found.unanswered > 0) {
      notes.push(`${pluralText(found.unanswered, "row")} of ${source} left out: no answer`);
    }
    if (found.foreign > 0) {
      notes.push(
        `${pluralText(found.foreign, "label")} of ${source} left out: about none of the pairs`,
      );
    }
    if (found.alone > 0) {
      notes.push(
        `${pluralText(found.alone, "pair")} left out in which people rated only one of the two images (${source})`,
      );
    }
  }
  return { answers, notes };
}

async function labelRows(
  source: string,
  environment: Environment,
): Promise<{ readonly rows: readonly LabelRow[]; readonly note?: string }> {
  const place = studyPlace(source, environment);
  if (await hasStudy(place)) return answersOf(source, place);
  const path = resolve(environment.workingDirectory, source);
  const isFolder = (await kindAt(path)) === "folder";
  if (isFolder) {
    throw new InputError(`Expected a table or a study for --labels but ${source} is neither`);
  }
  const rows: LabelRow[] = [];
  for await (const { all, line } of readTable({ source: { name: source, path }, columns: {} })) {
    rows.push({ all, place: `line ${line}` });
  }
  return { rows };
}

/** A study's answers to pairs, else its ratings of images that say who made them. */
async function answersOf(source: string, place: string) {
  const opened = await openStudy(place);
  const { study } = opened;
  const { answers } = await collect(opened, { collected: "all" });
  const table = study.blocks.some((block) => hasTable(block, "preferences"))
    ? ("preferences" as const)
    : ("compare" as const);
  const rows = exportTable(study, { answers, table });
  if (rows.length === 0) {
    throw new InputError(`Expected answers in ${source} but it has none yet`, {
      hint: `touchstone study serve ${source}`,
    });
  }
  return {
    rows: rows.map((all, at) => ({ all, place: `answer ${at + 1}` })),
    note: `${source}: ${pluralText(rows.length, table === "compare" ? "rated image" : "answer")}`,
  };
}

function joined(
  rows: readonly LabelRow[],
  {
    source,
    sides,
    pairs,
    environment: { workingDirectory },
  }: {
    readonly source: string;
    readonly sides: TwoSides;
    readonly pairs: readonly ItemPair[];
    readonly environment: Environment;
  },
) {
  const byPrompt = new Set(pairs.map(({ prompt }) => prompt));
  const byName = namesOf(pairs, sides);
  const folders = [dirname(resolve(workingDirectory, source)), workingDirectory];
  const imageOf = (name: string) =>
    byName.get(stem(name)) ??
    folders.map((folder) => byName.get(resolve(folder, name))).find((one) => one !== undefined);
  const answers: PeoplesAnswer[] = [];
  const values = new Map<string, [number[], number[]]>();
  const draws = new Map<string, AnswerDraw>();
  const hasAnswers = rows.some(({ all }) => answerColumns.some((name) => Object.hasOwn(all, name)));
  let [foreign, unanswered] = [0, 0];
  for (const { all, place } of rows) {
    if (hasAnswers && cellText(all, answerColumns) === undefined) {
      unanswered++;
      continue;
    }
    const named = cellText(all, ["image", "file_name", "file", "image_a"]);
    const found = named === undefined ? undefined : imageOf(named);
    const said = cellText(all, ["prompt", "text", "caption"]);
    const prompt = said !== undefined && byPrompt.has(said) ? said : found?.prompt;
    if (prompt === undefined || isOfOthers(all, { sides, imageOf })) {
      foreign++;
      continue;
    }
    const where = `${source}, ${place}`;
    const win = winOf(all, { sides, where });
    const draw = drawIn(all, where);
    if (draw !== undefined) draws.set(prompt, draw);
    if (win !== undefined) {
      answers.push({ prompt, win, difference: 2 * win - 1, draw });
    } else {
      const value = Number(cellText(all, valueColumns) ?? Number.NaN);
      const model = cellText(all, ["model"]);
      const side = found?.side ?? sideNamed(model, sides);
      if (side === undefined && model !== undefined) {
        foreign++;
        continue;
      }
      if (side === undefined || !Number.isFinite(value)) {
        throw new InputError(
          `Expected preferred (${sides[0].name}, ${sides[1].name} or tie), or image and value, in ${where}`,
          { hint: "Rows of labels: {prompt or image, preferred}, or {image, value}" },
        );
      }
      const both = values.get(prompt) ?? [[], []];
      values.set(prompt, both);
      both[side].push(value);
    }
  }
  let alone = 0;
  for (const [prompt, [ofA, ofB]] of values) {
    if (ofA.length === 0 || ofB.length === 0) {
      alone++;
      continue;
    }
    const difference = meanOf(ofA) - meanOf(ofB);
    const win = (Math.sign(difference) + 1) / 2;
    answers.push({ prompt, win, difference, draw: draws.get(prompt) });
  }
  if (answers.length === 0) {
    const [row] = rows;
    const [pair] = pairs;
    if (unanswered === rows.length) {
      throw new InputError(
        `Expected answers in ${source} but none of its ${pluralText(rows.length, "row")} has one`,
      );
    }
    throw new InputError(
      `Expected labels of the compared images in ${source} but none of its ${pluralText(rows.length, "row")} is about one`,
      {
        hint:
          `A row names a prompt or an image: it has ${JSON.stringify(row?.all ?? {}).slice(0, 120)}; ` +
          `a pair has the prompt "${pair?.prompt}" and the images ${pair?.items.map(({ image }) => image).join(" and ")}, ` +
          `of ${sides[0].name} and ${sides[1].name} (--images NAME=SOURCE names them)`,
      },
    );
  }
  return { answers, foreign, alone, unanswered };
}

/**
 * How `label plan` drew a row; undefined without a weight.
 *
 * @throws InputError for a weight below 1 and a round that is none.
 */
function drawIn(all: LabelRow["all"], where: string): AnswerDraw | undefined {
  const [given, number] = [cellText(all, ["weight"]), cellText(all, ["round"]) ?? "1"];
  if (given === undefined || isNotAvailable(given)) return undefined;
  const [weight, round] = [Number(given), Number(number)];
  if (!(weight >= 1 && Number.isFinite(weight))) {
    throw new InputError(
      `Expected a weight of 1 or more (1 / probability) in ${where} but received "${given}"`,
    );
  }
  if (!(round >= 1)) {
    throw new InputError(`Expected a round of 1 or more in ${where} but received "${number}"`);
  }
  return { weight, round, stratum: cellText(all, ["stratum"]) ?? "" };
}

/** Whether a row's columns a and b name models other than the two sides. */
function isOfOthers(
  all: LabelRow["all"],
  {
    sides,
    imageOf,
  }: { readonly sides: TwoSides; readonly imageOf: (name: string) => NamedImage | undefined },
): boolean {
  const [a, b] = [cellText(all, ["a"]), cellText(all, ["b"])];
  // Other tables have the images' files there.
  if (a === undefined || b === undefined || imageOf(a) !== undefined) return false;
  const named = [sideNamed(a, sides), sideNamed(b, sides)];
  return named.includes(undefined) || named[0] === named[1];
}

/** 1 where the first side is preferred, 0 where the second is, 0.5 for a tie; undefined without a column preferred. */
function winOf(
  all: LabelRow["all"],
  { sides, where }: { readonly sides: TwoSides; readonly where: string },
): number | undefined {
  const preferred = cellText(all, preferredColumns);
  if (preferred === undefined) return undefined;
  if (/^(tie|undecided|both|equal)$/i.test(preferred)) return 0.5;
  // In a study's table a and b are columns that name who stood there.
  const side = sideNamed(cellText(all, [preferred.toLowerCase()]) ?? preferred, sides);
  if (side !== undefined) return 1 - side;
  throw new InputError(
    `Expected ${sides[0].name}, ${sides[1].name} or tie for preferred in ${where} but received "${preferred}"`,
    { hint: `The sides are named by --images: --images ${preferred}=${sides[0].source}` },
  );
}

function sideNamed(name: string | undefined, [a, b]: TwoSides): 0 | 1 | undefined {
  const same = (one: string) => one.toLowerCase() === name?.toLowerCase();
  if (name === a.name || name === b.name) return name === a.name ? 0 : 1;
  if (same(a.name)) return 0;
  if (same(b.name)) return 1;
  return same("a") ? 0 : same("b") ? 1 : undefined;
}

/** An image as a label names it; without a side where both images of the pair have the name. */
interface NamedImage {
  readonly prompt: string;
  readonly side: 0 | 1 | undefined;
}

/** The images of pairs by their paths, by A/name, and by their names where these say one pair. */
function namesOf(pairs: readonly ItemPair[], sides: TwoSides) {
  const found = new Map<string, NamedImage | undefined>();
  for (const { prompt, items } of pairs) {
    for (const [at, { image, path }] of items.entries()) {
      const side = at === 0 ? 0 : 1;
      const name = stem(image);
      found.set(path, { prompt, side });
      found.set(`${sides[side].name}/${name}`, { prompt, side });
      const other = found.get(name);
      const isFree = !found.has(name);
      if (isFree) found.set(name, { prompt, side });
      else found.set(name, other?.prompt === prompt ? { prompt, side: undefined } : undefined);
    }
  }
  return found;
}
