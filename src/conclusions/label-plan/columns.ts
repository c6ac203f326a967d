import { meanOf } from "../../analysis/comparison/comparison-samples.js";
import { type PlanAim, type PlanUnit, planAims } from "../../analysis/label-plan/plan-units.js";
import { groupBy } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { Arguments, Given } from "../../core/options.js";
import { cellOf, type TableCell } from "../../tables/cell-table.js";
import {
  optionalAnswer,
  optionalText,
  probability,
  rating,
  score,
  text,
} from "../../tables/columns.js";
import { parseMap } from "../../tables/map.js";
import { factColumn } from "../../tables/metric-names.js";
import { tableRows } from "../../tables/table-rows.js";
import { answeredArgument, withAnswered } from "../answered.js";
import { drawKinds } from "../draw-columns.js";
import {
  directionArgument,
  namedDirection,
  namedDirectionText,
  seedArgument,
} from "../shared-options.js";
import { type GivenTable, type Inputs, tableRequest } from "../table-options.js";

export const options = {
  for: {
    kind: "choice",
    choices: planAims,
    default: "compare",
    description:
      "which interval to narrow: of a win rate of two models (compare), of a mean rating (rate), of a judge's " +
      "accuracy at its threshold of 0.5 (threshold)",
  },
  budget: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1_000_000,
    default: 100,
    description: "at most so many items to ask about: of compare prompts, each with all its models",
  },
  width: {
    kind: "number",
    minimum: 0,
    value: "W",
    description:
      "the wanted width of the 95 % interval, such as 0.2: choose no more items than that takes, none where it is reached",
  },
  direction: directionArgument,
  ...answeredArgument,
  seed: seedArgument("the random seed of the draw"),
} as const satisfies Arguments;

/** A table to plan labels for: what can be asked about, and its rows as they stand. */
export interface PlanTable {
  readonly units: readonly PlanUnit[];
  /** The rows of each unit, by their places. */
  readonly rowsOf: readonly (readonly number[])[];
  /** Rows that no label would help, for want of a score. */
  readonly unscored: number;
  /** Which scores are better. */
  readonly direction: "higher" | "lower";
  /** Notes on reading the table, a sentence each. */
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, TableCell>>[];
  /** The two models whose win rate is to be narrowed; of compare alone. */
  readonly pair?: readonly [better: string, other: string];
}

type GivenPlan = GivenTable & Given<typeof options>;

const images = {
  model: text,
  prompt: text,
  score,
  human: { ...rating, isRequired: false },
  domain: optionalText,
  metric: factColumn("metric"),
  direction: optionalText,
  ...drawKinds,
};
const judged = { id: text, probability, label: optionalAnswer, domain: optionalText, ...drawKinds };

/** Results of score are read as `compare` reads them. */
const written = [
  {
    mark: "metricVersion",
    names: { model: "input_model", prompt: "text", score: "value" },
  },
];

/** A row as labels are planned by it. */
export interface PlanRow {
  readonly model: string;
  readonly prompt: string;
  readonly domain: string;
  /** null = unscored. */
  readonly score: number | null;
  readonly answer: number | null;
  readonly forecast: number;
  readonly weight: number | null;
  readonly round: number | null;
  readonly stratum: string | null;
}

/** @throws InputError as `tableRows` does, and where rows are of several metrics. */
export async function readPlanTable(asked: GivenPlan, before: Inputs): Promise<PlanTable> {
  const map = parseMap(asked.map);
  const answers = asked.for === "threshold" ? ["label"] : ["human", "probability"];
  const names = answers.map((name) => map[name] ?? name);
  const { given, inputs } = withAnswered(asked, before, names);
  const request = await tableRequest(given, inputs);
  const raw: Readonly<Record<string, unknown>>[] = [];
  const rows: PlanRow[] = [];
  const metrics = new Set<string>();
  const directions = new Set<string>();
  if (given.for === "threshold") {
    for await (const { row, all } of tableRows({ ...request, columns: judged, unique: ["id"] })) {
      raw.push(all);
      rows.push(judgedRow(row));
    }
  } else {
    for await (const { row, all } of tableRows({ ...request, written, columns: images })) {
      raw.push(all);
      if (row.metric !== undefined) metrics.add(row.metric);
      if (row.direction !== undefined) directions.add(row.direction);
      rows.push(imageRow(row));
    }
  }
  if (metrics.size > 1) {
    const [first] = metrics;
    throw new InputError(
      `Expected one metric in ${given.file.join(", ")} but its column metric has ${[...metrics].join(", ")}`,
      { hint: `Plan by one of them: --where metric="${first}"` },
    );
  }
  const columns = [...new Set(raw.flatMap((row) => Object.keys(row)))];
  const [metric = map.score ?? "score"] = metrics;
  const isLower = directions.size === 1 && directions.has("lower");
  const isGuessed =
    given.direction === undefined &&
    given.for !== "threshold" &&
    directions.size === 0 &&
    namedDirection(metric) === "lower";
  const direction = given.direction ?? (isLower || isGuessed ? "lower" : "higher");
  const sign = direction === "higher" ? 1 : -1;
  const found = unitsOf(rows, given.for, sign);
  const used = new Set(found.rowsOf.flat());
  return {
    ...found,
    unscored: rows.length - used.size,
    direction,
    notes: isGuessed ? [namedDirectionText(metric)] : [],
    columns,
    rows: raw.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cellOf(cell)])),
    ),
  };
}

interface DrawCells {
  readonly weight: number | null;
  readonly round: number | null;
  readonly stratum: string | undefined;
}

const drawn = ({ weight, round, stratum }: DrawCells) => ({
  weight,
  round,
  stratum: stratum ?? null,
});

const imageRow = ({
  model,
  prompt,
  domain,
  score,
  human,
  ...row
}: DrawCells & {
  readonly model: string;
  readonly prompt: string;
  readonly domain: string | undefined;
  readonly score: number | null;
  readonly human: number | null;
}): PlanRow => ({
  model,
  prompt,
  domain: domain ?? "",
  score,
  answer: human,
  forecast: score ?? 0,
  ...drawn(row),
});

/** Whether the judge is right is asked; its confidence says how likely that is. */
function judgedRow({
  id,
  probability: p,
  label,
  domain,
  ...row
}: DrawCells & {
  readonly id: string;
  readonly probability: number | null;
  readonly label: 0 | 1 | null;
  readonly domain: string | undefined;
}): PlanRow {
  const says = p !== null && p >= 0.5 ? 1 : 0;
  return {
    model: "",
    prompt: id,
    domain: domain ?? "",
    score: p,
    answer: label === null ? null : Number(label === says),
    forecast: Math.max(p ?? 0.5, 1 - (p ?? 0.5)),
    ...drawn(row),
  };
}

/**
 * What can be asked about: of compare each prompt with all its models, else each row by itself.
 *
 * @param sign -1 where lower scores are better.
 */
export const unitsOf = (
  rows: readonly PlanRow[],
  aim: PlanAim,
  sign: 1 | -1 = 1,
): Pick<PlanTable, "units" | "rowsOf" | "pair"> =>
  aim === "compare" ? promptUnits(rows, sign) : rowUnits(rows, aim, sign);

/** Each row by itself. */
function rowUnits(rows: readonly PlanRow[], aim: PlanAim, sign: 1 | -1) {
  const scored = rows.flatMap((row, at) => (row.score === null ? [] : [{ row, at }]));
  return {
    units: scored.map(({ row }): PlanUnit => {
      const { domain, model, weight, round, stratum, answer } = row;
      const towards = aim === "rate" ? sign : 1;
      const score = row.score ?? 0;
      return {
        score,
        groups: [domain, model],
        answer,
        forecast: towards * row.forecast,
        weight,
        round,
        stratum,
      };
    }),
    rowsOf: scored.map(({ at }) => [at]),
  };
}

/**
 * Each prompt with all its models. What is to be narrowed is the win rate of the two best by their mean score: these are
 * the hardest to tell apart.
 */
function promptUnits(
  rows: readonly PlanRow[],
  sign: 1 | -1,
): Pick<PlanTable, "units" | "rowsOf" | "pair"> {
  const scored = rows.flatMap((row, at) =>
    row.score === null ? [] : [{ ...row, score: row.score, at }],
  );
  const byModel = [...groupBy(scored, ({ model }) => model)]
    .map(([model, its]) => ({ model, mean: sign * meanOf(its.map(({ score }) => score)) }))
    .sort((a, b) => b.mean - a.mean || (a.model < b.model ? -1 : 1));
  const [best, next] = byModel;
  if (best === undefined || next === undefined) return { units: [], rowsOf: [] };
  const units: PlanUnit[] = [];
  const rowsOf: number[][] = [];
  for (const its of groupBy(scored, ({ prompt }) => prompt).values()) {
    const of = (model: string) => its.filter((row) => row.model === model);
    const [a, b] = [of(best.model), of(next.model)];
    const [first] = its;
    if (first === undefined || a.length === 0 || b.length === 0) continue;
    const score = sign * (meanOf(a.map((row) => row.score)) - meanOf(b.map((row) => row.score)));
    const drawnRow = its.find(({ weight }) => weight !== null) ?? first;
    const { weight, round, stratum } = drawnRow;
    units.push({
      score,
      groups: [first.domain],
      answer: winOf(a, b),
      forecast: score,
      weight,
      round,
      stratum,
    });
    rowsOf.push(its.map(({ at }) => at));
  }
  return { units, rowsOf, pair: [best.model, next.model] };
}

/** The share of pairs of images that people find the first better in, ties half; null where one has no label. */
function winOf(a: readonly PlanRow[], b: readonly PlanRow[]): number | null {
  const [ones, others] = [a, b].map((its) =>
    its.flatMap(({ answer }) => (answer === null ? [] : [answer])),
  );
  if (ones === undefined || others === undefined || ones.length === 0 || others.length === 0)
    return null;
  const pairs = ones.flatMap((one) =>
    others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)),
  );
  return meanOf(pairs);
}
