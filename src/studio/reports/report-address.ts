import { reportPage } from "../../report/standing.js";

/**
 * The address of the report in a folder below what is shown. It mirrors the folders, so that links between
 * reports lead on. @example reportAddress("demo/judge") // "/reports/demo/judge/report.html"
 */
export const reportAddress = (folder: string): string =>
  `/${["reports", ...folder.split("/").filter(Boolean), reportPage].map(encodeURIComponent).join("/")}`;
