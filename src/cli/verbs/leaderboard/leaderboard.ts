import { basename, dirname, join, relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { cardPage } from "../../../report/pages/card-page.js";
import { conclusionPage } from "../../../report/pages/conclusion-page.js";
import { pluralText } from "../../../views/number-text.js";
import { countColumn, numberColumn, probabilityColumn, textColumn } from "../../../views/view.js";
import { command } from "../../command-line/command.js";
import { openArgument, openWhere } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { leaderboardView } from "./leaderboard-view.js";
import { type Comparison, readEntries } from "./read-entries.js";

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
    output.result(`Wrote ${index} and ${pluralText(entries.length, "page")} beside it.`);
    openWhere({ open: given.open, out: index }, environment);
  },
});

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
            textColumn("beside"),
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
