import { randomFrom } from "../../core/random.js";
import { promptSplits } from "../../core/records.js";
import { type Place, placesOf, type Split, type SplitShares, type Splitter } from "./scenes.js";
import { domainsOf, type Knob, type Pair, pairsOf, type Taxonomy } from "./taxonomy.js";
import type { Templates } from "./templates.js";

/**
 * Splits so that no sentence of a prompt (text, correct, adversarial, controls) stands in two splits.
 * Pairs that share a hypernym or a member are a family, as their sentences may be the same; whatever
 * a family says with one knob of one extra in one environment is in one split, as a wrong value of
 * one prompt is the right one of another. Of each family and knob the places are shuffled by `seed`
 * and dealt out, so that each split gets its share to within one place. What is built changes
 * nothing.
 */
export function splitter({
  taxonomy,
  templates,
  shares,
  seed,
}: {
  readonly taxonomy: Taxonomy;
  readonly templates: Templates;
  readonly shares: SplitShares;
  readonly seed: number;
}): Splitter {
  const families = familiesOf(domainsOf(taxonomy).flatMap((domain) => pairsOf(taxonomy, domain)));
  const dealt = new Map<string, ReadonlyMap<string, Split>>();
  return (pair, knob, place) => {
    const family = families.get(pair.hypernym.phrase);
    const name = JSON.stringify([family?.name, knob]);
    const known = dealt.get(name);
    const splits = known ?? dealOut(family?.pairs ?? [pair], knob, { templates, shares, seed });
    if (known === undefined) dealt.set(name, splits);
    const split = splits.get(nameOf(place));
    if (split === undefined) {
      throw new RangeError(`Expected a place of the templates but received ${nameOf(place)}`);
    }
    return split;
  };
}

interface Family {
  readonly name: string;
  readonly pairs: readonly Pair[];
}

/** The family of each phrase that names a hypernym or a member. */
function familiesOf(pairs: readonly Pair[]): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  for (const pair of pairs) {
    const own = [pair.hypernym.phrase, pair.nonPrototype.phrase, pair.prototype.phrase];
    const joined = new Set(own.flatMap((phrase) => families.get(phrase) ?? []));
    const all = [...[...joined].flatMap((family) => family.pairs), pair];
    const family = { name: nameOfAll(all), pairs: all };
    for (const { hypernym, nonPrototype, prototype } of all) {
      for (const { phrase } of [hypernym, nonPrototype, prototype]) families.set(phrase, family);
    }
  }
  return families;
}

const nameOfAll = (pairs: readonly Pair[]): string =>
  [...new Set(pairs.map(({ hypernym }) => hypernym.phrase))].sort().join(" / ");

function dealOut(
  pairs: readonly Pair[],
  knob: Knob,
  {
    templates,
    shares,
    seed,
  }: { readonly templates: Templates; readonly shares: SplitShares; readonly seed: number },
): ReadonlyMap<string, Split> {
  const random = randomFrom(seed, "splits", nameOfAll(pairs), knob);
  const places = random.shuffle([
    ...new Set(pairs.flatMap((pair) => placesOf(pair, knob, templates).map(nameOf))),
  ]);
  const offset = random.next();
  return new Map(
    places.map((place, at) => [place, splitAt((at + offset) / places.length, shares)]),
  );
}

/** The split in whose share of [0, 1) a point lies. */
function splitAt(point: number, shares: SplitShares): Split {
  const wanted = promptSplits.filter((split) => shares[split] > 0);
  let end = 0;
  const found = wanted.find((split) => {
    end += shares[split];
    return point < end;
  });
  // Shares may sum to a little less than 1.
  return found ?? wanted.at(-1) ?? "evaluation";
}

const nameOf = ({ environment, extra }: Place): string => JSON.stringify([environment, extra]);
