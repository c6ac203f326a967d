import { z } from "zod";
import { knobs, type Taxonomy, taxonomyMembers } from "./taxonomy.js";
import { type Templates, templateMembers } from "./templates.js";
import { domainWording, type ListedWording } from "./writer-wording.js";

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

export type OwnTaxonomy = z.output<typeof ownTaxonomySchema>;

/** Who stands against whom, in which scenes, and what a chat model that writes them is told. */
export interface PromptSource {
  readonly taxonomy: Taxonomy;
  readonly templates: Templates;
  readonly wording: ListedWording;
  /** Tells one of a file from others; undefined for the project's own. */
  readonly revision?: string;
}
