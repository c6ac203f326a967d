import { readFileSync } from "node:fs";

/** A file's text, and what messages call it. */
export interface DataSource {
  readonly file: string;
  readonly text: string;
}

/** A file of data/stereotypes. */
export const packaged = (name: string): DataSource => ({
  file: `data/stereotypes/${name}`,
  text: readFileSync(new URL(`../../../data/stereotypes/${name}`, import.meta.url), "utf8"),
});
