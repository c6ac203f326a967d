import { InputError } from "../../core/errors.js";
import { promptSplits } from "../../core/records.js";
import type { BuildRequest } from "../benchmark.js";
import { chosenNames } from "../chosen-names.js";
import type { BenchmarkSize } from "./plan-prompts.js";
import { loadPublished } from "./published.js";
import type { Split } from "./scenes.js";
import { type Domain, domains as packagedDomains } from "./taxonomy.js";

/** Which prompts are built, as flags of `build` say it. */
export interface BuildChoice {
  readonly domains: readonly Domain[];
  readonly splits: readonly Split[];
  readonly size: BenchmarkSize;
  readonly splitSeed?: number;
}

/**
 * Reads the flags of `build`: so many prompts in all, so many of each domain, or the paper's own number.
 *
 * @param domains those of the taxonomy
 * @throws InputError for an unknown name, for numbers of both kinds, and where there is no number for
 *   a domain that is not the paper's.
 */
export function buildChoice(
  {
    count,
    flags: { domain: given = [], split = [], "split-seed": splitSeeds = [] },
  }: Pick<BuildRequest, "count" | "flags">,
  domains: readonly Domain[] = packagedDomains,
): BuildChoice {
  const words = given.map((word) => word.split("=", 2));
  const names = chosenNames(
    words.map(([name = ""]) => name),
    domains,
    "--domain",
  );
  const splits = chosenNames(split, promptSplits, "--split");
  const rest = splitSeedOf(splitSeeds);
  const counts = words.flatMap(([, text]) => (text === undefined ? [] : [text]));
  if (counts.length > 0) {
    const isWrong = counts.some((text) => !/^[1-9]\d*$/.test(text));
    const isUneven = counts.length < words.length || names.length < words.length;
    if (isWrong || isUneven || count !== undefined) {
      throw new InputError(
        `Expected a whole number above 0 for every --domain, each once, and no --prompts, but received ${[
          ...given.map((word) => `--domain ${word}`),
          ...(count === undefined ? [] : [`--prompts ${count}`]),
        ].join(" ")}`,
        { hint: "Such as: --domain animals=200 --domain objects=100" },
      );
    }
    return {
      domains: names,
      splits,
      size: { byDomain: sizes(names, (_, at) => Number(counts[at])) },
      ...rest,
    };
  }
  if (count !== undefined) return { domains: names, splits, size: { total: count }, ...rest };
  const published: Readonly<Record<string, number>> = loadPublished().size.prompts;
  const own = names.filter((name) => published[name] === undefined);
  if (own.length > 0) {
    throw new InputError(
      `Expected a number of prompts for ${own.join(", ")}, which the paper has not, but received none`,
      { hint: `Such as: --prompts 60, even over the domains; or --domain ${own[0]}=20` },
    );
  }
  const byDomain = sizes(names, (name) => published[name] ?? 0);
  return { domains: names, splits, size: { byDomain }, ...rest };
}

function splitSeedOf(given: readonly string[]): { splitSeed?: number } {
  const [text] = given;
  if (text === undefined) return {};
  const splitSeed = Number(text);
  if (given.length > 1 || !/^\d+$/.test(text) || !Number.isSafeInteger(splitSeed)) {
    throw new InputError(
      `Expected one whole number from 0 for --split-seed but received ${given.join(", ")}`,
    );
  }
  return { splitSeed };
}

const sizes = (
  names: readonly Domain[],
  size: (name: Domain, at: number) => number,
): Record<string, number> => Object.fromEntries(names.map((name, at) => [name, size(name, at)]));
