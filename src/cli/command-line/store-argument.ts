import { InputError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import { addressText, blobAddress } from "../../files/blobs/blob-address.js";
import {
  blobsOf,
  isPostgres,
  passwordsIn,
  postgresPlace,
  shownPlace,
  withBlobs,
} from "../../files/postgres/address.js";
import type { Environment } from "../environment.js";
import type { Output } from "../terminal/output.js";

/** Where images of a study lie that are not kept in its database. */
export const blobsArgument = {
  blobs: {
    kind: "text",
    value: "URL",
    description:
      "where images of a study in a store lie: s3://bucket/prefix or a shared folder; it keeps to " +
      "that (default: the database)",
  },
} as const satisfies Arguments;

/** Flags of every verb that names a study. */
export const storeArgument = {
  store: {
    kind: "text",
    value: "URL",
    description:
      "the database that keeps studies, in place of folders: postgres://user@host/database (password: PGPASSWORD)",
  },
  ...blobsArgument,
} as const satisfies Arguments;

type AnyGiven = Readonly<Record<string, unknown>>;

/**
 * Resolves the store of a verb with one: the environment gets its address, a study that was named by
 * a whole address is named within it, and no password reaches what is printed or kept.
 */
export function inStore<Given extends AnyGiven>(
  declared: Arguments,
  { given, environment, output }: { given: Given; environment: Environment; output: Output },
): { readonly given: Given; readonly environment: Environment; readonly output: Output } {
  if (declared.store !== storeArgument.store) return { given, environment, output };
  const named =
    typeof given.study === "string" && isPostgres(given.study)
      ? postgresPlace(given.study)
      : undefined;
  const store = named?.store ?? (typeof given.store === "string" ? given.store : undefined);
  const blobs = typeof given.blobs === "string" ? given.blobs : undefined;
  if (store === undefined) {
    if (blobs === undefined) return { given, environment, output };
    throw new InputError("Expected --store with --blobs but received --blobs alone", {
      hint: "Images of a study in a folder lie in the folder; --store postgres://… names a database.",
    });
  }
  const place = inBlobs(postgresPlace(store).store, blobs, environment);
  const study = named === undefined ? {} : { study: named.name };
  return {
    given: { ...given, ...study, store: shownPlace(place) },
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

/** The words of a command, with the store where it takes a study of it. */
function wordsInStore(words: readonly string[], store: string): readonly string[] {
  const [first, second] = words.filter((word) => word !== "touchstone");
  if (first !== "study" || second === "copy" || words.includes("--store")) return words;
  const blobs = blobsOf(store);
  return [
    ...words,
    "--store",
    shownPlace(store),
    ...(blobs === undefined ? [] : ["--blobs", blobs]),
  ];
}
