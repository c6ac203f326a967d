import type { Chapter } from "../../views/report.js";
import type { FurtherChapter } from "../report.js";

/** Verdicts of other benchmarks, with links to their own pages. */
export const furtherChapter = (chapters: readonly FurtherChapter[]): Chapter => ({
  id: "further",
  title: "Further chapters",
  parts: [
    "Other failures of metrics and judges, tried in the same world. Each is a run of its own, with a page of its own.",
    ...chapters.flatMap(({ title, verdict, address }) => [
      { heading: { words: [{ text: title, as: "link", to: address } as const] } },
      { items: verdict },
    ]),
  ],
});
