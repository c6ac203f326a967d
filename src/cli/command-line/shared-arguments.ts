import { resolve } from "node:path";
import { hasDefect, type Sanity } from "../../analysis/sanity/sanity-text.js";
import { GateError, InputError } from "../../core/errors.js";
import type { Arguments, Positional } from "../../core/options.js";
import { textPlaces } from "../../files/folder-texts/folder-texts.js";
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

/** Flag of verbs that read a folder of images with their texts. */
export const textsArgument = {
  texts: {
    kind: "choice",
    choices: textPlaces,
    description:
      "where the texts of a folder without metadata are: one for all images of each folder, beside each image " +
      "(0.txt), in the names, in the images (PNG, JPEG, WebP) as generators write them, or in the rows of a table in " +
      "the order of the images' numbers (default: the one of the first four that has all texts)",
  },
} as const satisfies Arguments;

/** Where the images of a table of items are, and what its columns are called. */
export const itemTableArguments = {
  images: {
    kind: "text",
    value: "DIR",
    description: "the folder of the images (default: the table's folder)",
  },
  ...textsArgument,
  ...outsideArguments,
  map: {
    kind: "text",
    repeated: true,
    value: "NAME=COLUMN",
    description: "read NAME from another column: caption=prompt_text",
  },
} as const satisfies Arguments;

/** Flags of verbs that show images to models. */
export const sanityArguments = {
  "no-sanity": {
    kind: "switch",
    description: "don't check whether models see their images and metrics read their texts",
  },
  "allow-blind": {
    kind: "switch",
    description: "go on with a model that does not see its images; results are marked",
  },
} as const satisfies Arguments;

/** Flag that makes a defect fail a pipeline. */
export const failOnArguments = {
  "fail-on": {
    kind: "choice",
    choices: ["defect"],
    value: "defect",
    description:
      "exit with code 4 where a model is blind, a metric doesn't read its texts or look at its images, or " +
      "nothing was checked",
  },
} as const satisfies Arguments;

/** @throws GateError where --fail-on is given and there is a defect, or nothing was checked. */
export function refuseDefects(
  failOn: "defect" | undefined,
  sanity: (Sanity & { readonly verdict: string }) | undefined,
): void {
  if (failOn === undefined) return;
  const metrics = Object.values(sanity?.metrics ?? {});
  const isSilent = metrics.every(({ state }) => state === "skipped");
  if (sanity === undefined || isSilent) {
    throw new GateError("Expected checked metrics for --fail-on defect but nothing was checked", {
      hint: "Score without --no-sanity: touchstone score --help",
    });
  }
  if (hasDefect(sanity)) throw new GateError(`The sanity checks found a defect: ${sanity.verdict}`);
}

export interface SanityChoice {
  readonly isOn: boolean;
  readonly allowsBlind: boolean;
}

export const sanityOf = (given: {
  readonly "no-sanity": boolean;
  readonly "allow-blind": boolean;
}): SanityChoice => ({ isOn: !given["no-sanity"], allowsBlind: given["allow-blind"] });

/** Lets conclusions be about all images of a run that has a filter. */
export const unfilteredArgument = {
  unfiltered: {
    kind: "switch",
    description:
      "for a run with a filter: use all images, not only those that passed; for attribute " +
      "confusion: not only those that show their descriptions",
  },
} as const satisfies Arguments;
