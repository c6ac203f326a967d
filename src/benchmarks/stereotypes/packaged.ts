import { readFileSync } from "node:fs";

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
