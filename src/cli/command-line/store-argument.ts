import { InputError } from "../../core/errors.js";
import type { Arguments, Positional } from "../../core/options.js";
import { addressText, blobAddress } from "../../files/blobs/blob-address.js";
import { blobsOf, placeIn, shownPlace } from "../../files/open-store.js";
import { isPostgres, passwordsIn, postgresPlace, withBlobs } from "../../files/postgres/address.js";
import type { Environment } from "../environment.js";
import type { Output } from "../terminal/output.js";

/** Where images lie that are not kept in the database. */
export const blobsArgument = {
  blobs: {
    kind: "text",
    value: "URL",
    description:
      "where images of a run or study in a store lie: s3://bucket/prefix or a shared folder; it keeps " +
      "to that (default: the database)",
  },
} as const satisfies Arguments;

/** Flags of every verb that names a run. */
export const storeArgument = {
  store: {
    kind: "text",
    value: "URL",
    description:
      "the database that keeps runs, in place of folders: postgres://user@host/database (password: PGPASSWORD)",
  },
  ...blobsArgument,
} as const satisfies Arguments;

/** The run that a verb reads. */
export const runArgument = {
  kind: "positional",
  flag: "run",
  description: "the folder of the run; with --store its name there (or: --run RUN)",
} as const satisfies Positional;

type AnyGiven = Readonly<Record<string, unknown>>;

/** The arguments that name a run or a study, and which of them names it within a store. */
const runNames = {
  run: "run",
  source: "source",
  from: "from",
  directory: "run",
  study: "study",
} as const;

/**
 * Resolves the store of a verb with one: the environment gets its address, a run that was named by
 * a whole address is named within it, and no password reaches what is printed or kept.
 */
export function inStore<Given extends AnyGiven>(
  declared: Arguments,
  { given, environment, output }: { given: Given; environment: Environment; output: Output },
): { readonly given: Given; readonly environment: Environment; readonly output: Output } {
  if (declared.store !== storeArgument.store) return { given, environment, output };
  let store = typeof given.store === "string" ? given.store : undefined;
  const named: Record<string, string | undefined> = {};
  for (const [name, within] of Object.entries(runNames)) {
    const value = given[name];
    if (typeof value !== "string" || !isPostgres(value)) continue;
    const place = postgresPlace(value);
    store = place.store;
    named[name] = undefined;
    if (within === name || place.run !== "") named[within] = place.run;
  }
  const blobs = typeof given.blobs === "string" ? given.blobs : undefined;
  if (store === undefined) {
    if (blobs === undefined) return { given, environment, output };
    throw new InputError("Expected --store with --blobs but received --blobs alone", {
      hint: "Images of a run in a folder lie in the folder; --store postgres://… names a database.",
    });
  }
  const place = inBlobs(postgresPlace(store).store, blobs, environment);
  return {
    given: { ...given, ...named, store: shownPlace(place) },
    environment: { ...withSecrets(environment, [place]), store: place },
    output: {
      ...output,
      nextCommand: (words, around) => output.nextCommand(wordsInStore(words, place), around),
    },
  };
}

/**
 * A place in a store with where its images lie, as a person named it; the place itself where nobody did.
 *
 * @throws InputError for a folder, which has its own
 */
export function inBlobs(
  place: string,
  blobs: string | undefined,
  { workingDirectory }: Pick<Environment, "workingDirectory">,
): string {
  if (blobs === undefined) return place;
  if (!isPostgres(place)) {
    throw new InputError(`Expected a database with --blobs but received ${place}`, {
      hint: "In a folder images lie in the folder: leave --blobs out.",
    });
  }
  return withBlobs(place, addressText(blobAddress(blobs, { workingDirectory })));
}

/** An environment whose messages show no password of these addresses. */
export function withSecrets(environment: Environment, places: readonly string[]): Environment {
  const secrets = places.flatMap(passwordsIn);
  if (secrets.length === 0) return environment;
  const named = secrets.map((secret, at) => [`TOUCHSTONE_STORE_${at}_SECRET`, secret]);
  return { ...environment, variables: { ...environment.variables, ...Object.fromEntries(named) } };
}

/** The words of a command that goes on with a run, with the store where the run is. */
export const storedWords = (
  words: readonly string[],
  { store }: Pick<Environment, "store">,
): readonly string[] => (store === undefined ? words : wordsInStore(words, store));

function wordsInStore(words: readonly string[], store: string): readonly string[] {
  const shown = shownPlace(store);
  const blobs = blobsOf(store);
  const verb = words.filter((word) => word !== "touchstone");
  if (verb[0] === "studio" && verb[1] !== undefined) return ["studio", placeIn(shown, verb[1])];
  const [first = "", second = ""] = verb;
  const takesStore = first === "run" ? second !== "copy" : withStore.has(first);
  if (!takesStore || words.includes("--store")) return words;
  return [...words, "--store", shown, ...(blobs === undefined ? [] : ["--blobs", blobs])];
}

const withStore = new Set([
  ...["demo", "build", "generate", "score", "audit", "audit-sheet", "calibrate", "judge"],
  ...["report", "explain", "card", "experiment", "study"],
]);
