import { resolve } from "node:path";
import { setsView } from "../../../conclusions/evidence/view.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import { collectSet } from "../../../evidence/collect-set.js";
import { type LocatedSet, locateFiles } from "../../../evidence/locate-files.js";
import { setsNamed } from "../../../evidence/sets.js";
import type { ShippedSet } from "../../../evidence/shipped-figures.js";
import type { Invocation } from "../../command-line/command.js";
import type { evidenceArguments } from "./evidence-arguments.js";

/** Figures from files that the user has. */
export async function recomputed(
  { given, environment, output }: Invocation<typeof evidenceArguments>,
  from: string,
) {
  const located = await locateFiles(
    resolve(environment.workingDirectory, from),
    setsNamed(given.only === undefined ? [] : [given.only]),
  );
  const whole = located.filter(({ missing }) => missing.length === 0);
  const partial = located.filter(({ missing, paths }) => missing.length > 0 && paths.size > 0);
  if (whole.length === 0) throw noSet(from, given.only, located);
  const sets: ShippedSet[] = [];
  for (const one of whole) {
    environment.signal.throwIfAborted();
    output.progress(`reading ${one.set.name}`);
    sets.push(await collectSet(one));
  }
  output.clear();
  const cluster = (name: string) => whole.find(({ set }) => set.name === name)?.set.cluster ?? "";
  const json = () => ({
    sets: Object.fromEntries(
      sets.map(({ name, covariance: _, ...set }) => [
        name,
        asJson({
          ...set,
          cluster: cluster(name),
          judges: Object.fromEntries(
            Object.entries(set.judges).map(([judge, { check, ...its }]) => [
              judge,
              { ...its, ...check },
            ]),
          ),
        }),
      ]),
    ),
  });
  const view = setsView(sets, {
    caveats: partial.map(
      ({ set, missing }) =>
        `${set.name} is left out: ${missing.length} of its ${set.files.length} files are not in ${from}, such as ${missing[0]}.`,
    ),
  });
  return { title: "Published evidence, recomputed", view, json, figure: async () => undefined };
}

function noSet(from: string, only: string | undefined, located: readonly LocatedSet[]): InputError {
  const [first] = located;
  const why =
    only === undefined || first === undefined
      ? "the files of a published set, found by their SHA-256,"
      : `all ${first.set.files.length} files of ${only}`;
  const problems =
    only === undefined ? [] : (first?.missing ?? []).map((path) => `missing: ${path}`);
  return new InputError(`Expected ${why} in ${from} and below but no set is complete`, {
    hint: `touchstone evidence fetch ${only ?? "tifa160"} --to ${from} downloads them; touchstone evidence sets lists the sets.`,
    problems,
  });
}
