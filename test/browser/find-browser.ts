import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A browser that can be started, with what its process needs of the environment. */
export interface FoundBrowser {
  readonly executable: string;
  readonly variables: Readonly<Record<string, string>>;
}

const debian = "/usr/bin/chromium";

/** What `npm run fetch-browser` leaves: where it unpacked a browser, and how it starts. */
const fetched = fileURLToPath(
  new URL("../../node_modules/.cache/touchstone-browser/browser.json", import.meta.url),
);
const fetchedBrowser = z.object({
  executable: z.string(),
  variables: z.record(z.string(), z.string()),
});

/**
 * Returns the browser of `CHROMIUM_PATH`, else Debian's, else the fetched one, else undefined.
 *
 * @throws Error where `CHROMIUM_PATH` names no file.
 */
export async function findBrowser(
  named: string | undefined = process.env.CHROMIUM_PATH,
): Promise<FoundBrowser | undefined> {
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return { executable: named, variables: {} };
    throw new Error(`Expected a browser at CHROMIUM_PATH but there is none: ${named}`);
  }
  if (existsSync(debian)) return { executable: debian, variables: {} };
  if (!existsSync(fetched)) return undefined;
  return fetchedBrowser.parse(JSON.parse(await readFile(fetched, "utf8")));
}
