import { InputError } from "../../core/errors.js";
import { keyOf } from "../../core/keys.js";
import { linedYaml } from "../../files/lined-yaml.js";
import { lintTaxonomy } from "./lint-taxonomy.js";
import { type OwnTaxonomy, ownTaxonomySchema, type PromptSource } from "./own-taxonomy-schema.js";
import { loadTaxonomy } from "./taxonomy.js";
import { loadTemplates } from "./templates.js";
import { loadWriterWording } from "./writer-wording.js";

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
