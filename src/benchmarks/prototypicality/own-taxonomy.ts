import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { keyOf } from "../../core/keys.js";
import { type LinedYaml, linedYaml } from "../../files/yaml.js";
import { domainWording, type ListedWording, loadWriterWording } from "./chat-writer.js";
import { brokenRules, tripletRules } from "./rules.js";
import { placesOf, requestAbout } from "./scenes.js";
import {
  domainsOf,
  type Knob,
  knobs,
  loadTaxonomy,
  type Pair,
  domains as packagedDomains,
  pairsOf,
  type Taxonomy,
  taxonomyMembers,
} from "./taxonomy.js";
import {
  knobValues,
  loadTemplates,
  type Templates,
  templateMembers,
  tripletFromTemplates,
  wrongValues,
} from "./templates.js";

/** The project's own. */
export const packagedSource = (): PromptSource => ({
  taxonomy: loadTaxonomy(),
  templates: loadTemplates(),
  wording: loadWriterWording(),
});

/**
 * Reads a taxonomy of one's own. Extras, error types, forbidden words and the sentence are the
 * project's where the file says nothing else; its domains only with `include: default`.
 *
 * @throws InputError that lists every problem with its line: members that don't fit the schema,
 *   names that stand nowhere, and pairs of which no sentence keeps the benchmark's rules.
 */
export function readOwnTaxonomy({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): PromptSource {
  const read = linedYaml(
    file,
    text,
    ownTaxonomySchema,
    "data/taxonomy.schema.json describes every member; docs/own-prototypicality.md has an example.",
  );
  const source = { ...merged(read.value), revision: keyOf({ text }).slice(0, 12) };
  const problems = lintTaxonomy(read, source);
  if (problems.length === 0) return source;
  throw new InputError(`Expected another taxonomy in ${file}`, { problems });
}

function merged(own: OwnTaxonomy): PromptSource {
  const { taxonomy, templates, wording } = packagedSource();
  const isAdded = own.include === "default";
  return {
    taxonomy: {
      domains: { ...(isAdded ? taxonomy.domains : {}), ...own.domains },
      people: { ...(isAdded ? taxonomy.people : {}), ...own.people },
      plurals: [...(isAdded ? taxonomy.plurals : []), ...(own.plurals ?? [])],
    },
    templates: {
      sentence: own.sentence ?? templates.sentence,
      mostWords: templates.mostWords,
      knobs: { ...templates.knobs, ...own.knobs },
      extras: { ...templates.extras, ...own.extras },
      settings: { ...(isAdded ? templates.settings : {}), ...own.settings },
      forbidden: { ...templates.forbidden, ...own.forbidden },
    },
    wording: { ...wording, domains: { ...wording.domains, ...own.writing } },
  };
}

/** Schema of `build --taxonomy`; data/taxonomy.schema.json is made from it. */
export const ownTaxonomySchema = z.strictObject({
  include: z.literal("default").optional(),
  domains: taxonomyMembers.domains.optional(),
  people: taxonomyMembers.people.optional(),
  plurals: taxonomyMembers.plurals.optional(),
  sentence: templateMembers.sentence.optional(),
  knobs: z.partialRecord(z.enum(knobs), templateMembers.knobs.valueType).optional(),
  extras: templateMembers.extras.optional(),
  settings: templateMembers.settings.optional(),
  forbidden: templateMembers.forbidden.optional(),
  writing: z.record(z.string().min(1), domainWording).optional(),
});

type OwnTaxonomy = z.output<typeof ownTaxonomySchema>;

/** Members of each pair with their scenes, and the instructions for a chat model that writes about them. */
interface PromptSource {
  readonly taxonomy: Taxonomy;
  readonly templates: Templates;
  readonly wording: ListedWording;
  /** Tells one of a file from others; undefined for the project's own. */
  readonly revision?: string;
}

/** Names that stand for all domains of a kind where words are forbidden. */
const kinds = ["things", "people"];

type Path = readonly PropertyKey[];

/**
 * Finds what a schema can't find in a taxonomy of one's own, each problem with its line: unknown and
 * repeated names, pairs without a scene, and sentences that break a rule of the benchmark, tried with
 * every extra in every environment.
 */
function lintTaxonomy(read: LinedYaml<OwnTaxonomy>, source: PromptSource): string[] {
  const { value, lineOf } = read;
  const problems = new Set<string>();
  const tell = (path: Path, problem: string) => problems.add(`${lineOf(path)}: ${problem}`);
  checkNames(value, source, tell);
  for (const { pair, path } of ownPairs(value, source)) {
    checkPair(pair, path, tell);
    for (const knob of pair.knobs) tryScenes(pair, knob, { path, source, tell });
  }
  return [...problems];
}

type Tell = (path: Path, problem: string) => void;

function checkNames(own: OwnTaxonomy, { taxonomy, templates }: PromptSource, tell: Tell): void {
  const names = [...Object.keys(own.domains ?? {}), ...Object.keys(own.people ?? {})];
  if (names.length === 0) tell([], "expected domains or people, or both");
  const known: readonly string[] = own.include === "default" ? packagedDomains : [];
  for (const [at, name] of names.entries()) {
    const path = [own.domains?.[name] === undefined ? "people" : "domains", name];
    if (kinds.includes(name)) tell(path, `"${name}" is no name for a domain`);
    if (known.includes(name)) tell(path, `the package has a domain ${name} already`);
    if (names.indexOf(name) < at) tell(["people", name], `${name} stands in domains already`);
  }
  const all = domainsOf(taxonomy);
  const categories = new Map(
    all.map((name) => [name, new Set(pairsOf(taxonomy, name).map(({ category }) => category))]),
  );
  for (const [domain, settings] of Object.entries(own.settings ?? {})) {
    const inIt = categories.get(domain);
    if (inIt === undefined) {
      tell(["settings", domain], unknown("domain", domain, all));
      continue;
    }
    for (const [at, { categories: named, extras }] of settings.entries()) {
      const path = ["settings", domain, at];
      for (const [index, name] of named.entries()) {
        if (inIt.has(name)) continue;
        tell([...path, "categories", index], unknown(`category of ${domain}`, name, [...inIt]));
      }
      for (const [index, name] of extras.entries()) {
        if (templates.extras[name] !== undefined) continue;
        tell(
          [...path, "extras", index],
          `there is no extra "${name}"; say its plural under extras`,
        );
      }
    }
  }
  const places = [...all, ...kinds, ...[...categories.values()].flatMap((some) => [...some])];
  for (const [rule, { in: where }] of Object.entries(own.forbidden ?? {})) {
    for (const [at, name] of where.entries()) {
      if (places.includes(name)) continue;
      tell(["forbidden", rule, "in", at], unknown("domain or category", name, places));
    }
  }
  for (const name of Object.keys(own.writing ?? {})) {
    if (!all.includes(name)) tell(["writing", name], unknown("domain", name, all));
  }
}

const unknown = (what: string, name: string, known: readonly string[]): string =>
  `there is no ${what} "${name}"; there are ${known.join(", ")}`;

function* ownPairs(
  own: OwnTaxonomy,
  { taxonomy }: PromptSource,
): Generator<{ readonly pair: Pair; readonly path: Path }> {
  for (const [domain, { categories }] of Object.entries(own.domains ?? {})) {
    if (own.people?.[domain] !== undefined) continue;
    const paths = Object.entries(categories).flatMap(([category, { pairs }]) =>
      pairs.map((_, at) => ["domains", domain, "categories", category, "pairs", at]),
    );
    for (const [at, pair] of pairsOf(taxonomy, domain).entries()) {
      yield { pair, path: paths[at] ?? [] };
    }
  }
  for (const domain of Object.keys(own.people ?? {})) {
    for (const pair of pairsOf(taxonomy, domain)) {
      yield { pair, path: ["people", domain, "axes", pair.category] };
    }
  }
}

function checkPair({ hypernym, nonPrototype, prototype }: Pair, path: Path, tell: Tell): void {
  if (nonPrototype.phrase === prototype.phrase) {
    tell(path, `"${prototype.name}" stands against itself`);
  }
  const twin = [nonPrototype, prototype].find(({ phrase }) => phrase === hypernym.phrase);
  if (twin !== undefined) tell(path, `"${twin.name}" is its own hypernym`);
}

function tryScenes(
  pair: Pair,
  knob: Knob,
  {
    path,
    source: { taxonomy, templates },
    tell,
  }: { readonly path: Path; readonly source: PromptSource; readonly tell: Tell },
): void {
  const places = placesOf(pair, knob, templates);
  if (places.length === 0) {
    tell(path, `${pair.category} has no setting with an extra that has a ${knob}`);
    return;
  }
  const rules = tripletRules({ taxonomy, templates });
  const told = new Set<string>();
  for (const place of places) {
    const [right] = knobValues(templates, knob, place.extra);
    const [wrong] = wrongValues(templates, knob, place.extra, right ?? "");
    if (right === undefined || wrong === undefined) continue;
    const request = requestAbout(pair, { knob, right, wrong, ...place }, templates);
    for (const { rule, message } of brokenRules(
      rules,
      tripletFromTemplates(request, templates),
      request,
    )) {
      if (told.has(rule)) continue;
      told.add(rule);
      tell(path, `${rule}: ${message}`);
    }
  }
}
