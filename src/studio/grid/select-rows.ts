import { isTie } from "../../analysis/pairs/score-ties.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import type { ImageRow } from "../image-row.js";
import { itemOf } from "../item-detail.js";
import type { GridQuery, Paging } from "../item-query.js";
import type { RunView } from "../run-view.js";
import type { ScoreTable } from "../score-table.js";
import { conditionsIn, keepingLast, selected, tableOf } from "../select-items.js";
import type { GridPage, GridRow } from "./grid-api.js";

/** How many metrics a cell shows. */
const mostShown = 4;

/**
 * The page of a run's prompts by models that a query asks for. A row is one prompt's sample; it is shown
 * where one of its images meets the filters, in the order in which its first image comes.
 */
export function selectRows(view: RunView, query: GridQuery & Paging): GridPage {
  const { grid, metrics, meant, rows } = wantedRows(view, query);
  const { cursor, limit } = query;
  const end = cursor + limit;
  return {
    columns: grid.columns,
    shown: metrics.map(({ id }) => id),
    items: rows
      .slice(cursor, end)
      .map((row) => rowOf(view, grid.cells(row), { metrics, meant, ...grid })),
    total: rows.length,
    next: end < rows.length ? String(end) : null,
    version: view.index.version,
    isReady: view.index.progress.isReady,
  };
}

/** Which image stands in which row and column, by places in the index. */
interface Grid {
  readonly columns: readonly string[];
  /** Whether rows differ in the role of their images. */
  readonly hasRoles: boolean;
  readonly size: number;
  /** The row of each image. */
  readonly rowAt: Uint32Array;
  /** The images of a row; -1 where there is none. */
  cells(row: number): Int32Array;
}

function gridOf(view: RunView): Grid {
  const { rows } = view.index;
  const generators = [...new Set(rows.map(({ generator }) => generator))];
  const roles = [...new Set(rows.map(({ role }) => role))];
  const isByRole = generators.length === 1 && roles.length > 1;
  const hasRoles = roles.length > 1 && !isByRole && havePaintersSeveralRoles(rows);
  const columns = isByRole ? roles : generators;
  const places = new Map(columns.map((column, at) => [column, at]));
  const found = new Map<string, number>();
  const rowAt = new Uint32Array(rows.length);
  let [row, last]: [number, ImageRow | undefined] = [0, undefined];
  for (const at of view.order) {
    const image = rows[at];
    if (image === undefined) continue;
    // Images of one row mostly follow each other.
    const isSame =
      image.prompt === last?.prompt &&
      image.sample === last.sample &&
      (!hasRoles || image.role === last.role);
    if (!isSame) {
      const name = `${image.prompt}/${image.sample}/${hasRoles ? image.role : ""}`;
      row = found.get(name) ?? found.size;
      found.set(name, row);
      last = image;
    }
    rowAt[at] = row;
  }
  const width = columns.length;
  const all = new Int32Array(found.size * width).fill(-1);
  for (const [at, { generator, role }] of rows.entries()) {
    all[(rowAt[at] ?? 0) * width + (places.get(isByRole ? role : generator) ?? 0)] = at;
  }
  return {
    columns,
    hasRoles,
    size: found.size,
    rowAt,
    cells: (row) => all.subarray(row * width, (row + 1) * width),
  };
}

/** Whether one model painted a prompt in several roles, so that a row each is needed. */
const havePaintersSeveralRoles = (rows: readonly ImageRow[]): boolean =>
  new Set(rows.map(({ prompt, sample, generator }) => `${prompt}/${sample}/${generator}`)).size <
  rows.length;

/** The chosen metric first, then those of the conditions, then others of the images' own texts, people last. */
function shownTables(view: RunView, query: GridQuery): readonly ScoreTable[] {
  const { tables } = view.index;
  const chosen = tableOf(view, query);
  const own = tables.filter(
    ({ against, isByPeople }) => !isByPeople && (against === "own" || against === "prompt"),
  );
  const wanted = [
    ...(chosen === undefined ? [] : [chosen]),
    ...conditionsIn(view, query).map(({ table }) => table),
    ...own,
  ];
  return [
    ...[...new Set(wanted)].slice(0, mostShown),
    ...tables.filter((table) => table.isByPeople && !wanted.includes(table)),
  ];
}

/** The rows that are asked for, and what their cells are made from. */
const wantedRows = keepingLast((view, query: GridQuery) => {
  const grid = view.ofImages("grid", () => gridOf(view));
  const metrics = shownTables(view, query);
  const meant = new Uint8Array(view.index.rows.length);
  const seen = new Uint8Array(grid.size);
  const rows: number[] = [];
  const isWanted = rowTest(view, query, metrics);
  for (const at of selected(view, query)) {
    meant[at] = 1;
    const row = grid.rowAt[at] ?? 0;
    if (seen[row] === 1) continue;
    seen[row] = 1;
    if (isWanted(grid.cells(row))) rows.push(row);
  }
  return { grid, metrics, meant, rows };
});

/** The metric and the people whose best images are shown. */
const judgesOf = (metrics: readonly ScoreTable[]) => ({
  metric: metrics.find(({ isByPeople }) => !isByPeople),
  people: metrics.find(({ isByPeople }) => isByPeople),
});

type RowTest = (cells: Int32Array) => boolean;

function rowTest(view: RunView, { only }: GridQuery, metrics: readonly ScoreTable[]): RowTest {
  const { metric, people } = judgesOf(metrics);
  if (only === "unscored") {
    return (cells) =>
      cells.some(
        (at) =>
          at >= 0 &&
          (view.index.rows[at]?.image === null ||
            view.index.tables.some((one) => one.get(at)?.value === null)),
      );
  }
  if (only === "differences")
    return (cells) => metric !== undefined && differs(view, metric, cells);
  if (only === "people") {
    return (cells) => isAgainst(bestOf(metric, cells), bestOf(people, cells)) === true;
  }
  return () => true;
}

/** Whether a metric is right on one image of a row and wrong on another; without such verdicts, no tie of all. */
function differs(view: RunView, metric: ScoreTable, cells: Int32Array): boolean {
  const margins = view.marginsOf(metric);
  const verdicts = new Set([...cells].flatMap((at) => (at < 0 ? [] : (margins.failed(at) ?? []))));
  if (verdicts.size > 0) return verdicts.size > 1;
  const values = [...cells].map((at) => valueAt(metric, at)).filter((one) => !Number.isNaN(one));
  return values.length > 1 && !isTie(smallestOf(values), largestOf(values));
}

const valueAt = (table: ScoreTable, at: number) => (at < 0 ? Number.NaN : table.value(at));

/** The images of a row that a metric scores highest, several where they tie; none with fewer than two scores. */
function bestOf(table: ScoreTable | undefined, cells: Int32Array): readonly number[] {
  if (table === undefined) return [];
  const sign = table.direction === "higher" ? 1 : -1;
  const scored = [...cells].filter((at) => !Number.isNaN(valueAt(table, at)));
  if (scored.length < 2) return [];
  const best = sign * largestOf(scored.map((at) => sign * table.value(at)));
  return scored.filter((at) => isTie(table.value(at), best));
}

/** Whether a metric's best is none of those that people like best; null without either. */
function isAgainst(best: readonly number[], liked: readonly number[]): boolean | null {
  if (best.length === 0 || liked.length === 0) return null;
  return !best.some((at) => liked.includes(at));
}

function rowOf(
  view: RunView,
  cells: Int32Array,
  {
    metrics,
    meant,
    hasRoles,
  }: Pick<Grid, "hasRoles"> & {
    readonly metrics: readonly ScoreTable[];
    readonly meant: Uint8Array;
  },
): GridRow {
  const { metric, people } = judgesOf(metrics);
  const [best, liked] = [bestOf(metric, cells), bestOf(people, cells)];
  const image = view.index.rows[cells.find((at) => at >= 0) ?? -1];
  const text = (image && view.index.originOf(image)?.text) ?? image?.text ?? "";
  return {
    text,
    sample: image?.sample ?? 0,
    ...(hasRoles && image !== undefined ? { role: image.role } : {}),
    cells: [...cells].map((at) =>
      at < 0
        ? null
        : {
            item: itemOf(view, at, metrics),
            isBest: best.includes(at),
            isPeoplesChoice: liked.includes(at),
            isMeant: meant[at] === 1,
          },
    ),
    isAgainstPeople: isAgainst(best, liked),
  };
}
