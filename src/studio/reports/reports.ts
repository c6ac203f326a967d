import { openDocuments } from "../../files/open-store.js";
import { outsideProblem } from "../../files/outside.js";
import { reportPage } from "../../report/standing.js";
import { type FoundFiles, reportAddress } from "../found-files.js";
import { Refusal } from "../refusal.js";
import { folderOf, type StudioRuns } from "../runs.js";

/** A report has styles of its own and pictures within, and runs nothing. */
const policy = [
  "default-src 'none'",
  "img-src data:",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "sandbox allow-same-origin",
].join("; ");

interface Shown {
  readonly runs: StudioRuns;
  readonly files: FoundFiles;
  /** The folder that no page of a folder may lead out of. */
  readonly root: string;
}

/** The report at an address, which is one of `reportAddress`. @throws Refusal where there is none. */
export async function reportResponse(
  address: string,
  { runs, files, root }: Shown,
): Promise<Response> {
  const places = new Map([
    ...(await files.reports()).map((folder) => [reportAddress(folder.name), folder.path] as const),
    ...(await runs.all()).map((run) => [reportAddress(folderOf(run)), run.place] as const),
  ]);
  const place = places.get(address);
  const page = place === undefined ? undefined : await reportIn(place, root);
  if (page === undefined) {
    throw new Refusal(404, "no-report", "There is no such report in the place that is shown", {
      hint: "The command touchstone report RUN writes one.",
    });
  }
  return reportPageResponse(page);
}

/** A report as an answer: it runs nothing and asks for nothing. */
export const reportPageResponse = (page: string): Response =>
  new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-cache",
    },
  });

/** The page in a folder that was found; none where it is a link that leads out of `root`. */
export async function reportIn(place: string, root: string): Promise<string | undefined> {
  const documents = openDocuments(place);
  const path = documents.addressOf(reportPage);
  if ((await outsideProblem(path, [root])) !== undefined) return undefined;
  return documents.read(reportPage);
}
