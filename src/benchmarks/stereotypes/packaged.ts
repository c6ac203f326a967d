import { readFileSync } from "node:fs";
import { z } from "zod";
import { loadData } from "../load-data.js";

/** A file's text, and what messages call it. */
export interface DataSource {
  readonly file: string;
  readonly text: string;
}

/** A file of data/stereotypes. */
export const packaged = (name: string): DataSource => dataFile(`stereotypes/${name}`);

/** A file of data/papers: the words of a paper. */
export const ofPaper = (name: string): DataSource => dataFile(`papers/${name}`);

const dataFile = (name: string): DataSource => ({
  file: `data/${name}`,
  text: readFileSync(new URL(`../../../data/${name}`, import.meta.url), "utf8"),
});

const schema = z.strictObject({ short: z.string().trim().min(1), text: z.string().trim().min(1) });

/** Reads the notice that every reader of an audit is given: `short` in a terminal, `text` in a report. */
export const loadNotice = (): z.output<typeof schema> =>
  loadData("stereotypes/notice.yaml", schema);
