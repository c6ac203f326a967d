import type { StudySettings } from "./study-config.js";

/** Tells participants that images were generated, in each language of the page. */
export const disclosure: Readonly<Record<StudySettings["language"], string>> = {
  en: "The images in this study were made by computers.",
  de: "Die Bilder dieser Studie wurden von Computern erzeugt.",
};
