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
    value,
    extra,
    extras: value === "one" ? extra : (templates.extras[extra]?.plural ?? extra),
  };
  let sentence = templates.sentence;
  for (const [slot, words] of Object.entries(slots)) {
    sentence = sentence.replaceAll(`{${slot}}`, words);
  }
  return capitalised(withArticles(sentence));
}

/** With its first letter in upper case. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
