import { createContext, useContext } from "react";
import { de } from "./de.js";
import { en, type Words } from "./en.js";

/** The page's languages, by the name that a study's file has them. A further one is a file and a line. */
export const languages: Readonly<Record<string, Words>> = { en, de };

export const WordsContext = createContext<Words>(en);

export const useWords = (): Words => useContext(WordsContext);

/** Puts values into the places of a sentence: "{done} of {total}". */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));

export type { Words };
