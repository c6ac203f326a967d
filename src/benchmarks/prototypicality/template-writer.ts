import { withArticles } from "../../core/articles.js";
import type { Member } from "./taxonomy.js";
import { loadTemplates, type Templates } from "./templates.js";
import type { Triplet, TripletRequest, TripletWriter } from "./triplet.js";

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
