import { z } from "zod";
import { withArticles } from "../../core/phrases.js";
import { loadData } from "../load-data.js";
import { type Knob, knobs, type Member } from "./taxonomy.js";
import type { Triplet, TripletRequest, TripletWriter } from "./triplet.js";

const word = z.string().min(1);
const words = z.array(word).min(1);

const slots = (...names: readonly string[]) =>
  word.refine((text) => names.every((name) => text.includes(`{${name}}`)), {
    error: `expected a sentence part with ${names.map((name) => `{${name}}`).join(", ")}`,
  });

const knob = z
  .strictObject({
    phrase: slots("value"),
    states: slots("value"),
    of: z.enum(["subject", "extra"]).optional(),
    values: z.array(word).min(2).optional(),
    ofExtra: z.literal("colours").optional(),
    wrong: z.union([z.literal("other"), z.strictObject({ within: z.int().positive() })]),
    rule: word,
    description: word,
  })
  .refine(({ values, ofExtra }) => (values === undefined) !== (ofExtra === undefined), {
    error: "expected either values or ofExtra",
  });

const extra = z.strictObject({ plural: word, colours: z.array(word).min(2).optional() });

const setting = z.strictObject({ categories: words, environments: words, extras: words });

/** The members of a file that say how pairs are put into scenes. */
export const templateMembers = {
  sentence: slots("subject", "be", "environment", "phrase"),
  mostWords: z.int().positive(),
  knobs: z.record(z.enum(knobs), knob),
  extras: z.record(word, extra),
  settings: z.record(word, z.array(setting).min(1)),
  forbidden: z.record(word, z.strictObject({ in: words, words })),
};

export const templatesSchema = z
  .strictObject(templateMembers)
  .superRefine(({ extras, settings }, context) => {
    for (const [domain, list] of Object.entries(settings)) {
      for (const [at, { extras: named }] of list.entries()) {
        for (const name of named.filter((name) => extras[name] === undefined)) {
          context.addIssue({
            code: "custom",
            path: ["settings", domain, at, "extras"],
            message: `expected one of the extras but received "${name}"`,
          });
        }
      }
    }
  });

/** The sentences and what may stand in them, as `data/prototypicality/templates.yaml` has it. */
export type Templates = z.output<typeof templatesSchema>;

/** The project's templates. */
export const loadTemplates = (): Templates =>
  loadData("prototypicality/templates.yaml", templatesSchema);

/** The values that a knob can have on an extra: none where it does not apply to it. */
export function knobValues(templates: Templates, knob: Knob, extra: string): readonly string[] {
  const { values, ofExtra } = templates.knobs[knob];
  return values ?? (ofExtra === undefined ? [] : (templates.extras[extra]?.[ofExtra] ?? []));
}

/** The values that make `right` wrong, by as little as the knob's rule says. */
export function wrongValues(
  templates: Templates,
  knob: Knob,
  extra: string,
  right: string,
): readonly string[] {
  const values = knobValues(templates, knob, extra);
  const at = values.indexOf(right);
  if (at === -1) return [];
  const { wrong } = templates.knobs[knob];
  const most = wrong === "other" ? values.length : wrong.within;
  return values.filter((_, other) => other !== at && Math.abs(other - at) <= most);
}

/** The writer that fills in templates by rule: no model, the same sentences every time. */
export function templateWriter(templates: Templates = loadTemplates()): TripletWriter {
  return {
    name: "template",
    async write(request) {
      return tripletFromTemplates(request, templates);
    },
  };
}

/** The triplet as the templates have it. */
export function tripletFromTemplates(request: TripletRequest, templates: Templates): Triplet {
  const { hypernym, nonPrototype, prototype, right, wrong } = request;
  const sentence = (subject: Member, value: string) =>
    sentenceFromTemplate({ subject, value, request, templates });
  return {
    text: sentence(hypernym, right),
    correct: sentence(nonPrototype, right),
    adversarial: sentence(prototype, wrong),
    controlCorrect: sentence(prototype, right),
    controlAdversarial: sentence(nonPrototype, wrong),
  };
}

function sentenceFromTemplate({
  subject,
  value,
  request: { knob, extra, environment },
  templates,
}: {
  subject: Member;
  value: string;
  request: TripletRequest;
  templates: Templates;
}): string {
  const slots = {
    subject: subject.phrase,
    be: subject.plural === true ? "are" : "is",
    environment,
    phrase: templates.knobs[knob].phrase,
    ...knobSlots({ value, extra }, templates),
  };
  return capitalised(withArticles(filled(templates.sentence, slots)));
}

/**
 * The words by which a sentence states a knob's value, as the rules look for them.
 *
 * @example knobStatement(request, "two", loadTemplates()) // "exactly two rocks"
 */
export const knobStatement = (
  { knob, extra }: Pick<TripletRequest, "knob" | "extra">,
  value: string,
  templates: Templates,
): string =>
  withArticles(filled(templates.knobs[knob].states, knobSlots({ value, extra }, templates)));

const knobSlots = (
  { value, extra }: { readonly value: string; readonly extra: string },
  templates: Templates,
) => ({
  value,
  extra,
  extras: value === "one" ? extra : (templates.extras[extra]?.plural ?? extra),
});

const filled = (sentence: string, slots: Readonly<Record<string, string>>): string =>
  Object.entries(slots).reduce(
    (rest, [slot, words]) => rest.replaceAll(`{${slot}}`, words),
    sentence,
  );

/** With its first letter in upper case. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
