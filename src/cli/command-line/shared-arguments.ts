import { resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Arguments, Positional } from "../../core/options.js";
import type { Environment } from "../environment.js";

/** The run that a verb reads. */
export const runArgument = {
  kind: "positional",
  flags: ["run"],
  description: "the folder of the run (or: --run RUN)",
} as const satisfies Positional;

/** The flag by which a verb prints what its short form leaves out. */
export const detailsArgument = {
  details: {
    kind: "switch",
    description: "print every finding, table, note and caveat, not only the first",
  },
} as const satisfies Arguments;

/** Flag of verbs that open images which a table or a folder names. */
export const outsideArguments = {
  "allow-outside": {
    kind: "switch",
    description: "also open images outside the table's folder: absolute paths, .. and links",
  },
} as const satisfies Arguments;

export const openArgument = {
  open: { kind: "switch", description: "open the page in the browser" },
} as const satisfies Arguments;

/** @throws InputError for --open where no page is written. */
export function checkOpen({
  open,
  out,
}: {
  readonly open: boolean;
  readonly out: string | undefined;
}): void {
  if (!open || (out !== undefined && /\.html?$/i.test(out))) return;
  throw new InputError(
    `Expected a page to open, --out with a name that ends in .html, but received ${out ?? "none"}`,
  );
}

/** Opens the page that was written, where --open was given. */
export function openWhere(
  { open, out }: { readonly open: boolean; readonly out: string | undefined },
  environment: Pick<Environment, "open" | "workingDirectory">,
): void {
  if (open && out !== undefined) environment.open(resolve(environment.workingDirectory, out));
}
