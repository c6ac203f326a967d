import { z } from "zod";
import { jsonOrNone } from "../core/read-json.js";
import { openDocuments } from "../files/open-store.js";
import { cellText } from "../views/printed.js";
import type { Overview } from "../views/report.js";
import { type Cell, facets, type ViewColumn, type ViewTable } from "../views/view.js";
import { drawnFigure } from "./drawing/drawn-figure.js";

/** The page of a run's report, beside its records. */
export const reportPage = "report.html";
/** The report's verdict as JSON, for pages that link to the report. */
export const verdictFile = "verdict.json";

const verdictSchema = z.object({ verdict: z.array(z.string()) });

/** Address of the report of the run at a place, written or not. */
export const reportAddress = (place: string): string => openDocuments(place).addressOf(reportPage);

/** The report that stands beside the run of a place; undefined where there is none. */
export async function standingReport(
  place: string,
): Promise<{ readonly path: string; readonly verdict: readonly string[] } | undefined> {
  const documents = openDocuments(place);
  if (!(await documents.has(reportPage))) return undefined;
  // A page that another version wrote may have none beside it.
  const { data } = verdictSchema.safeParse(jsonOrNone((await documents.read(verdictFile)) ?? "{}"));
  return { path: documents.addressOf(reportPage), verdict: data?.verdict ?? [] };
}

/** The overview of a run's report, beside its page. */
export const overviewFile = "overview.json";

const overviewSchema = z.object({
  figure: z.object({
    title: z.string(),
    caption: z.string(),
    svg: z.string(),
    narrow: z.string().optional(),
  }),
  tables: z.array(
    z.object({
      title: z.string(),
      columns: z.array(
        z.object({
          title: z.string(),
          group: z.string().exactOptional(),
          align: z.literal("right").exactOptional(),
        }),
      ),
      rows: z.array(
        z.object({
          facets: z.partialRecord(z.enum(facets), z.string()),
          cells: z.array(z.string()),
        }),
      ),
      note: z.string(),
    }),
  ),
});

/** An overview with its figure drawn and its cells printed: a page shows it whoever wrote the file. */
export type DrawnOverview = z.output<typeof overviewSchema>;

export const drawnOverview = async ({ figure, tables }: Overview): Promise<DrawnOverview> => ({
  figure: await drawnFigure(figure),
  tables: tables.map(chosenFrom),
});

/** A table from which rows are chosen by facets: every row says all of its names, each in a column. */
function chosenFrom({
  title,
  columns,
  rows,
  note = "",
}: ViewTable): DrawnOverview["tables"][number] {
  return {
    title,
    columns: columns.flatMap(({ title, kind, heading, under }) => [
      {
        title,
        ...(heading !== undefined && { group: heading }),
        ...(kind !== "text" && { align: "right" as const }),
      },
      ...(under === undefined ? [] : [{ title: under }]),
    ]),
    rows: rows.map((row) => {
      const split = columns.map((column, at) => textsOf(row[at] ?? null, column));
      return {
        facets: Object.fromEntries(
          columns.flatMap(({ facet, under }, at) => {
            const [name = "", below = ""] = split[at] ?? [];
            return [
              ...(facet === undefined ? [] : [[facet, name]]),
              ...(under === undefined ? [] : [[under, below]]),
            ];
          }),
        ),
        cells: split.flat(),
      };
    }),
    note,
  };
}

/** The text of a cell; in a column of names above others both. */
function textsOf(cell: Cell, column: ViewColumn): string[] {
  if (column.under === undefined) return [cellText(cell, column)];
  if (typeof cell !== "object" || cell === null || !("words" in cell)) {
    return [cellText(cell, column), ""];
  }
  const [name = "", below = ""] = cell.words.map((one) =>
    typeof one === "string" ? one : one.text,
  );
  return [name, below];
}

/** The overview beside a run's report; undefined where no report wrote one that can be read here. */
export async function standingOverview(place: string): Promise<DrawnOverview | undefined> {
  const text = await openDocuments(place).read(overviewFile);
  return overviewSchema.safeParse(jsonOrNone(text)).data;
}
