import { z } from "zod";
import { openDocuments } from "../../files/open-store.js";
import { type DrawnFigure, drawnFigure } from "../drawing/drawn-figure.js";
import { type OverviewTable, overviewFacets, type RunOverview } from "./overview.js";

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
  const { data } = verdictSchema.safeParse(parsed((await documents.read(verdictFile)) ?? "{}"));
  return { path: documents.addressOf(reportPage), verdict: data?.verdict ?? [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The overview of a run's report, beside its page. */
export const overviewFile = "overview.json";

/** An overview with its figure drawn: what a page shows is a picture, whoever wrote the file. */
export interface DrawnOverview {
  readonly figure: DrawnFigure;
  readonly tables: readonly OverviewTable[];
}

export const drawnOverview = async ({ figure, tables }: RunOverview): Promise<DrawnOverview> => ({
  figure: await drawnFigure(figure),
  tables,
});

const schema = z.object({
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
          facets: z.partialRecord(z.enum(overviewFacets), z.string()),
          cells: z.array(z.string()),
        }),
      ),
      note: z.string(),
    }),
  ),
});

/** The overview beside a run's report; undefined where no report wrote one that can be read here. */
export async function standingOverview(place: string): Promise<DrawnOverview | undefined> {
  const text = await openDocuments(place).read(overviewFile);
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
