import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import {
  type RankRange,
  rankRanges,
  shownAbove,
} from "../../../analysis/leaderboard/rank-groups.js";
import type { TrustCard } from "../../../analysis/trust-card/trust-card.js";
import {
  type CardFigure,
  figureIds,
  judgedEstimate,
} from "../../../analysis/trust-card/trust-card-figure.js";
import { readCardFile } from "../../../conclusions/card/card-file.js";
import { figureText, statusText } from "../../../conclusions/card/view.js";
import { InputError, TouchstoneError } from "../../../core/errors.js";
import { listText } from "../../../core/phrases.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { filesBelow } from "../../../files/files-below.js";
import { readTextFile } from "../../../files/regular-file.js";
import { slugOf } from "../../../report/formats/format.js";
import { cardPage } from "../../../report/pages/card-page.js";
import { conclusionPage } from "../../../report/pages/conclusion-page.js";
import { pluralText } from "../../../views/number-text.js";
import {
  as,
  countColumn,
  type Marked,
  numberColumn,
  probabilityColumn,
  textColumn,
  type View,
  type ViewTable,
  type Words,
} from "../../../views/view.js";
import { command } from "../../command-line/command.js";
import { openArgument, openWhere } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";

export default command({
  description:
    "Makes a site of many trust cards and comparisons: the .json files that card and compare wrote, below a folder. " +
    "Ranks are ranges, since models that can't be told apart share theirs. The site is plain files that any server " +
    "hosts, or the disk: index.html, a page for each file, and the files themselves in data/.",
  examples: ["touchstone leaderboard results", "touchstone leaderboard results --out site"],
  arguments: {
    folder: { kind: "positional", description: "the folder with the .json files" },
    out: {
      kind: "text",
      value: "DIR",
      description: "the folder of the site (default: FOLDER-site, beside FOLDER)",
    },
    title: {
      kind: "text",
      value: "TEXT",
      default: "Leaderboard",
      description: "the title of the site",
    },
    ...openArgument,
  },
  async run({ given, environment, output, words }) {
    const { workingDirectory } = environment;
    const folder = resolve(workingDirectory, given.folder);
    const beside = join(dirname(folder), `${basename(folder)}-site`);
    const out = given.out ?? (relative(workingDirectory, beside) || beside);
    const place = resolve(workingDirectory, out);
    const { entries, others } = await readEntries(folder, place);
    if (entries.length === 0) {
      throw new InputError(`Expected cards or comparisons in ${given.folder} but found none`, {
        hint: "touchstone compare scores.csv --out results/scores.json",
      });
    }
    const view = leaderboardView(entries, others);
    const made = shellWords(["touchstone", ...words({ out, open: false })]);
    const write = (name: string, text: string) => writeFileAtomically(join(place, name), text);
    await write("index.html", await conclusionPage(view, { title: given.title, command: made }));
    for (const { name, page, text, cards, comparison } of entries) {
      await write(`data/${page}.json`, text);
      if (cards !== undefined) {
        await write(`${page}.html`, await cardPage(cards, { title: name, command: made }));
      } else if (comparison !== undefined) {
        await write(
          `${page}.html`,
          await comparisonPage(comparison, { title: name, command: made }),
        );
      }
    }
    const index = join(out, "index.html");
    output.resultJson({ out, index, pages: entries.map(({ page }) => `${page}.html`), others });
    output.result(`Wrote ${index}, with ${contentText(entries)}; open it in a browser.`);
    openWhere({ open: given.open, out: index }, environment);
  },
});

/** @example "pages of 1 file of cards and 2 comparisons" */
function contentText(entries: readonly Entry[]): string {
  const cards = entries.filter((entry) => entry.cards !== undefined).length;
  const counts = [
    ...(cards === 0 ? [] : [pluralText(cards, "file of cards", "files of cards")]),
    ...(cards === entries.length ? [] : [pluralText(entries.length - cards, "comparison")]),
  ];
  return `pages of ${listText(counts)}`;
}

/** A comparison's own page: each model and each pair, as its file has them. */
const comparisonPage = (
  { verdict, models, pairs, intervals }: Comparison,
  { title, command }: { readonly title: string; readonly command: string },
): Promise<string> =>
  conclusionPage(
    {
      verdict,
      tables: [
        {
          title: "Models",
          columns: [
            textColumn("model"),
            numberColumn("mean"),
            countColumn("images"),
            countColumn("unscored"),
          ],
          rows: Object.entries(models)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, { n, unscored, mean }]) => [name, mean, n, unscored]),
        },
        {
          title: "Pairs",
          columns: [
            textColumn("model", { isGroup: true }),
            textColumn("against", { id: "beside" }),
            numberColumn("difference"),
            probabilityColumn("adjusted p"),
          ],
          rows: pairs.map(({ a, b, difference, pAdjusted }) => [a, b, difference, pAdjusted]),
        },
      ],
      caveats: [],
      method: intervals === undefined ? "" : `Brackets hold intervals: ${intervals.text}.`,
    },
    { title, command },
  );

/** All cards and comparisons on one page: what ranks where, as far as that is shown. */
function leaderboardView(entries: readonly Entry[], others: readonly string[]): View {
  const compared = entries.flatMap((entry) =>
    entry.comparison === undefined ? [] : [comparisonTable(entry, entry.comparison)],
  );
  const cards = entries.flatMap((entry) => (entry.cards ?? []).map((card) => ({ entry, card })));
  const figures = figureIds.flatMap((id) => figureTable(id, cards) ?? []);
  const many = [
    ...(compared.length === 0 ? [] : [pluralText(compared.length, "comparison")]),
    ...(cards.length === 0 ? [] : [pluralText(cards.length, "trust card")]),
  ];
  return {
    verdict: `${leading(entries)}Ranks of ${many.join(" and ")}: those that share a range can't be told apart.`,
    tables: [...compared, ...figures],
    caveats: [
      ...(figures.length === 0
        ? []
        : [
            "Cards may be of other images and prompts: their ranks compare figures, not metrics on the same task.",
          ]),
      ...(others.length === 0
        ? []
        : [
            `Left out, neither a card nor a comparison: ${others.slice(0, 10).join(", ")}${others.length > 10 ? ", …" : ""}.`,
          ]),
    ],
    method:
      "A rank range goes from 1 more than the number shown to be better to all but those shown to be worse. Models are " +
      "told apart by the comparison's own paired tests, adjusted for their number, at 5 %; figures of cards by the " +
      "intervals of their differences (MOVER), independent and adjusted by Holm. Within a range the order is that of names.",
  };
}

/** Whom the only comparison shows to be first; empty where there are several, or none is shown to be. */
function leading(entries: readonly Entry[]): string {
  const [comparison, another] = entries.flatMap((entry) => entry.comparison ?? []);
  if (comparison === undefined || another !== undefined) return "";
  const first = ranksOf(comparison).filter(({ best }) => best === 1);
  const [only] = first;
  if (only === undefined || first.length === Object.keys(comparison.models).length) return "";
  const names = first.slice(0, 3).map(({ name }) => name);
  const more = first.length > names.length ? [`${first.length - names.length} more`] : [];
  return first.length === 1 && only.worst === 1
    ? `${only.name} is first on ${comparison.metric}. `
    : `${listText([...names, ...more])} may be first on ${comparison.metric}. `;
}

const linked = (text: string, { page }: Entry, ...below: readonly Marked[]): Words => ({
  words: [{ text, as: "link", to: `${page}.html` }, ...below],
});

/** "1", or "2 to 4". */
const rankText = ({ best, worst }: RankRange) =>
  best === worst ? `${best}` : `${best} to ${worst}`;

/** Ranks of the models that have a mean. */
function ranksOf({ direction, models, pairs }: Comparison): RankRange[] {
  const sign = direction === "higher" ? 1 : -1;
  const better = new Set(
    pairs.flatMap(({ a, b, difference, pAdjusted }) => {
      if (pAdjusted === null || pAdjusted > 0.05 || !difference.value) return [];
      return [JSON.stringify(sign * difference.value > 0 ? [a, b] : [b, a])];
    }),
  );
  const scored = Object.keys(models).filter((name) => models[name]?.mean.value !== null);
  return rankRanges(scored, (one, other) => better.has(JSON.stringify([one, other])));
}

function comparisonTable(entry: Entry, comparison: Comparison): ViewTable {
  const { metric, direction, models } = comparison;
  const ranks = ranksOf(comparison);
  const ranked = new Set(ranks.map(({ name }) => name));
  const unranked = Object.keys(models).filter((name) => !ranked.has(name));
  return {
    title: `${metric} (${entry.name})`,
    columns: [
      textColumn("rank", { isGroup: true }),
      textColumn("model"),
      numberColumn("mean"),
      countColumn("images"),
      countColumn("unscored"),
    ],
    rows: [
      ...ranks.map((one) => ({ rank: rankText(one), name: one.name })),
      ...unranked.map((name) => ({ rank: "unscored", name })),
    ].map(({ rank, name }) => [
      rank,
      linked(name, entry),
      models[name]?.mean ?? null,
      models[name]?.n ?? null,
      models[name]?.unscored ?? null,
    ]),
    note: `${direction === "higher" ? "Higher" : "Lower"} is better.`,
  };
}

interface OwnCard {
  readonly entry: Entry;
  readonly card: TrustCard;
}

/** One figure of all cards that have it; ranks where an end is better. */
function figureTable(id: CardFigure["id"], cards: readonly OwnCard[]): ViewTable | undefined {
  const its = cards.flatMap(({ entry, card }) => {
    const figure = card.figures[id];
    const estimate = figure && judgedEstimate(figure);
    return figure === undefined || estimate === undefined
      ? []
      : [{ entry, card, figure, estimate }];
  });
  const [first] = its;
  if (first === undefined) return undefined;
  const sign = signOf(first.figure);
  const keyed = new Map(its.map((one, at) => [`${one.card.subject.name} ${at}`, one]));
  const above = shownAbove(new Map([...keyed].map(([key, { estimate }]) => [key, estimate])));
  const ranks =
    sign === undefined
      ? [...keyed.keys()].sort().map((name) => ({ name, rank: "none" }))
      : rankRanges([...keyed.keys()], (a, b) => (sign > 0 ? above(a, b) : above(b, a))).map(
          (one) => ({
            name: one.name,
            rank: rankText(one),
          }),
        );
  return {
    title: first.figure.title,
    columns: [
      textColumn("rank", { isGroup: true }),
      textColumn("metric"),
      textColumn("estimate"),
      textColumn("expected"),
      textColumn("status"),
      countColumn("n"),
      countColumn("unscored"),
    ],
    rows: ranks.flatMap(({ name, rank }) => {
      const one = keyed.get(name);
      if (one === undefined) return [];
      const { figure, card, entry, estimate } = one;
      return [
        [
          rank,
          linked(card.subject.name, entry, as("under", entry.name)),
          figureText(estimate),
          figure.expectation?.text ?? "nothing",
          statusText[figure.status],
          figure.n,
          figure.unscored,
        ],
      ];
    }),
    ...(sign === undefined && { note: "Neither end is better, so nothing ranks." }),
  };
}

/** 1 where more is better, -1 where less is; undefined where the middle is, or nothing is expected. */
function signOf({ expectation, estimate }: CardFigure): 1 | -1 | undefined {
  const [low, high] = [expectation?.low, expectation?.high];
  if (estimate?.unit === "seconds" || estimate?.unit === "dollars") return -1;
  if ((low === undefined) === (high === undefined)) return undefined;
  return low === undefined ? -1 : 1;
}

const number = z.number().nullable();
const estimate = z.looseObject({ value: number, low: number, high: number });

/** What `compare --json` prints, as far as ranks need it. */
const comparison = z.looseObject({
  metric: z.string(),
  direction: z.enum(["higher", "lower"]),
  models: z.record(
    z.string(),
    z.looseObject({ n: z.number(), unscored: z.number(), mean: estimate }),
  ),
  pairs: z.array(
    z.looseObject({ a: z.string(), b: z.string(), difference: estimate, pAdjusted: number }),
  ),
  intervals: z.looseObject({ text: z.string() }).optional(),
  verdict: z.string(),
});

type Comparison = z.infer<typeof comparison>;

/** A file that a leaderboard is made of; `page` is unique among them. */
interface Entry {
  readonly name: string;
  readonly page: string;
  readonly text: string;
  readonly cards?: readonly TrustCard[];
  readonly comparison?: Comparison;
}

/**
 * Reads the cards and comparisons below a folder, and names the JSON files that are neither.
 *
 * @param site the folder of the site, whose own files are passed over
 */
async function readEntries(
  folder: string,
  site: string,
): Promise<{ readonly entries: readonly Entry[]; readonly others: readonly string[] }> {
  const entries: Entry[] = [];
  const others: string[] = [];
  for (const { name, path } of await filesBelow(folder, [".json"])) {
    if (path.startsWith(`${site}${sep}`)) continue;
    const text = await readTextFile(path);
    const found = entryOf(text, name);
    if (found === undefined) {
      others.push(name);
      continue;
    }
    const slug = slugOf(name.replace(/\.json$/i, ""));
    const alike = entries.filter(({ page }) => page === slug || page.startsWith(`${slug}~`));
    // The site's own page is index.html.
    const taken = alike.length + (slug === "index" ? 1 : 0);
    entries.push({ name, text, page: taken === 0 ? slug : `${slug}~${taken + 1}`, ...found });
  }
  return { entries, others };
}

function entryOf(text: string, name: string): Pick<Entry, "cards" | "comparison"> | undefined {
  try {
    return { cards: readCardFile(text, name).cards };
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
  }
  try {
    const { data } = comparison.safeParse(JSON.parse(text));
    return data && { comparison: data };
  } catch {
    return undefined;
  }
}
