import { withArticles } from "./articles.js";
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
  const sentence = (subject: string, value: string) =>
    sentenceFromTemplate({ subject, value, request, templates });
  return {
    text: sentence(hypernym.phrase, right),
    correct: sentence(nonPrototype.phrase, right),
    adversarial: sentence(prototype.phrase, wrong),
    controlCorrect: sentence(prototype.phrase, right),
    controlAdversarial: sentence(nonPrototype.phrase, wrong),
  };
}

function sentenceFromTemplate({
  subject,
  value,
  request: { knob, extra, environment },
  templates,
}: {
  subject: string;
  value: string;
  request: TripletRequest;
  templates: Templates;
}): string {
  const slots = {
    subject,
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
