import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { shellWord } from "../../core/shell-word.js";
import { knownAs } from "../../tables/other-names.js";
import { isIdentifier, raterColumns } from "../../tables/rater-names.js";
import { type ModelColumn, parseModelColumns } from "../shared-options.js";

/** A model whose scores stand in a column of their own. */
export interface ScoreColumns {
  readonly model: string;
  /** The columns with its scores, and with people's ratings of it. */
  readonly scores: string;
  readonly human: string | undefined;
}

/**
 * The columns that --scores and --humans name; undefined where they are not given.
 *
 * @throws InputError for --humans alone, and for a model in it that --scores lacks.
 */
export function scoreColumns({
  scores,
  humans,
}: {
  readonly scores: string | undefined;
  readonly humans: string | undefined;
}): ScoreColumns[] | undefined {
  if (scores === undefined) {
    if (humans === undefined) return undefined;
    throw new InputError("Expected --scores for --humans", {
      hint: "The columns with each model's scores: --scores A=score_a,B=score_b",
    });
  }
  const models = parseModelColumns(scores, "scores");
  const people = humans === undefined ? [] : parseModelColumns(humans, "humans");
  const stranger = people.find((one) => !models.some(({ model }) => model === one.model));
  if (stranger !== undefined) {
    throw new InputError(
      `Expected a model of --scores for --humans but received ${stranger.model}`,
      { hint: `It has ${listText(models.map(({ model }) => model))}` },
    );
  }
  return models.map(({ model, column }) => ({
    model,
    scores: column,
    human: people.find((one) => one.model === model)?.column,
  }));
}

/** Says which flag reads a table with a column of scores for each model, where this may be one. */
export function modelColumnsShape(
  columns: readonly string[],
  areNamed: boolean,
): string | undefined {
  const known = [
    "prompt",
    "human",
    "metric",
    "direction",
    "model",
    "score",
    "text",
    "image",
    "set",
  ];
  if (columns.includes("model")) return undefined;
  const others = columns.filter(
    (name) => !known.includes(name) && !isIdentifier(name) && !filed.test(name),
  );
  const raters = raterColumns(others, []);
  const pairs = others
    .filter((name) => !raters.includes(name))
    .map((column) => ({ column, model: column.replace(/^scores?[-_. ]+|[-_. ]+scores?$/i, "") }));
  const marked = pairs.filter(({ column, model }) => model !== column);
  const metric = sameMetric(others);
  const [score] = knownAs("score", columns);
  const isOne = marked.length < 2 && metric.length < 2 && knownAs("model", columns).length === 0;
  if (score !== undefined && isOne) {
    const file = columns.includes("filename") ? "_filename" : "filename";
    const map = score === "score" ? "" : `--map ${shellWord(`score=${score}`)} `;
    return `A row has one score (${score}), so its model is in a column (${map}--map model=my_column), or each file is of a model (${map}--map model=${file})`;
  }
  // A second column of scores is no column of models, even where no other is left to be one.
  if (areNamed && (marked.length < 2 || knownAs("model", columns).length > 0)) return undefined;
  const found = [marked, metric, pairs].find(({ length }) => length > 1)?.slice(0, 3) ?? [];
  if (found.length === 0) return undefined;
  if (marked.length < 2 && metric.length < 2 && !columns.includes("prompt")) {
    return `Say which columns have them: --map prompt=COLUMN --map model=COLUMN --map score=COLUMN
With a column of scores for each model: --map prompt=COLUMN --scores A=COLUMN,B=COLUMN`;
  }
  return `With a column of scores for each model: --scores ${shellWord(found.map(shortPair).join(","))}`;
}

/** Where an image lies, and how it was made. */
const filed = /^(file|path|image|img|url|seed)(s|[-_. ]?name)?([-_. ]|$)/i;

/** The first columns that differ by a last letter or digit alone: clip_a and clip_b. */
function sameMetric(columns: readonly string[]): ModelColumn[] {
  const ended = columns.flatMap((column) => {
    const [, metric, model] = /^(.+)[-_. ]([a-z]|\d)$/i.exec(column) ?? [];
    return metric === undefined || model === undefined ? [] : [{ metric, model, column }];
  });
  const first = ended.find(({ metric, column }) =>
    ended.some((other) => other.metric === metric && other.column !== column),
  );
  return ended.filter(({ metric }) => metric === first?.metric);
}

const shortPair = ({ model, column }: ModelColumn) =>
  model === column ? column : `${model}=${column}`;
