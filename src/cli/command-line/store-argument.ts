import { placeIn, shownPlace } from "../../files/open-store.js";
import { passwordsIn, postgresPlace } from "../../files/postgres/address.js";
import type { Environment } from "../environment.js";
import type { Output } from "../terminal/output.js";
import type { Arguments } from "./arguments.js";

/** What every verb takes that names a run. */
export const storeArgument = {
  store: {
    kind: "text",
    value: "URL",
    description:
      "where runs are named in place of folders: postgres://user@host/database (password: PGPASSWORD)",
  },
} as const satisfies Arguments;

type AnyGiven = Readonly<Record<string, unknown>>;

/** The arguments that name a run. */
const runNames = ["run", "source", "from"];

/**
 * What is given to a verb that takes a store: the environment has its address, a run that was named by
 * a whole address is named within it, and no password reaches what is printed or kept.
 */
export function inStore<Given extends AnyGiven>(
  declared: Arguments,
  { given, environment, output }: { given: Given; environment: Environment; output: Output },
): { readonly given: Given; readonly environment: Environment; readonly output: Output } {
  if (declared.store !== storeArgument.store) return { given, environment, output };
  let store = typeof given.store === "string" ? given.store : undefined;
  const named: Record<string, string> = {};
  for (const name of runNames) {
    const value = given[name];
    if (typeof value !== "string" || !/^postgres(ql)?:\/\//i.test(value)) continue;
    const { connection, run } = postgresPlace(value);
    store = connection;
    named[name] = run;
  }
  if (store === undefined) return { given, environment, output };
  const { connection } = postgresPlace(store);
  const shown = shownPlace(connection);
  return {
    given: { ...given, ...named, store: shown },
    environment: { ...withSecrets(environment, [connection]), store: connection },
    output: {
      ...output,
      nextCommand: (words, around) => output.nextCommand(wordsInStore(words, shown), around),
    },
  };
}

/** An environment whose messages show no password of these addresses. */
export function withSecrets(environment: Environment, places: readonly string[]): Environment {
  const secrets = places.flatMap(passwordsIn);
  const named = secrets.map((secret, at) => [`TOUCHSTONE_STORE_${at}_SECRET`, secret]);
  return { ...environment, variables: { ...environment.variables, ...Object.fromEntries(named) } };
}

/** The words of a command that goes on with a run, with the store where the run is. */
export const storedWords = (
  words: readonly string[],
  { store }: Pick<Environment, "store">,
): readonly string[] => (store === undefined ? words : wordsInStore(words, shownPlace(store)));

function wordsInStore(words: readonly string[], shown: string): readonly string[] {
  const verb = words.filter((word) => word !== "touchstone");
  // The studio opens folders.
  if (verb[0] === "studio" && verb[1] !== undefined) {
    return ["run", "copy", placeIn(shown, verb[1]), verb[1]];
  }
  const [first = "", second = ""] = verb;
  const takesStore = first === "run" ? second !== "copy" : withStore.has(first);
  return takesStore && !words.includes("--store") ? [...words, "--store", shown] : words;
}

const withStore = new Set([
  ...["demo", "build", "generate", "score", "audit", "audit-sheet", "calibrate", "judge"],
  ...["report", "explain", "card", "experiment"],
]);
