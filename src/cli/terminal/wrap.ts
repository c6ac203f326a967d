import { createRequire } from "node:module";
import type StringWidth from "string-width";
import { once } from "../../core/cache.js";

/** Spaces within a number and its unit, and within an interval: no line ends there. */
const bound = /(?<=\d) (?=%)|(?<=\[[^\s\]]+,) (?=[^\s\]]+\])/g;
const boundSpace = "\u00a0";

/** Words of a line, between which it may end: "47.5 %" and "[41.3, 53.9]" are one each. */
export const wordsOf = (line: string): string[] =>
  line
    .replace(bound, boundSpace)
    .split(" ")
    .map((word) => word.replaceAll(boundSpace, " "));

/**
 * Breaks each line of a text at spaces so that none is wider than `width`, long words apart; "47.5 %" and
 * "[41.3, 53.9]" stay whole. Indented lines stay as they are: they are command lines and lists.
 */
export function wrap(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith(" ")) return line;
      const lines: string[] = [];
      let current = "";
      for (const word of wordsOf(line)) {
        if (current !== "" && displayWidth(current) + 1 + displayWidth(word) > width) {
          lines.push(current);
          current = word;
        } else current = current === "" ? word : `${current} ${word}`;
      }
      return [...lines, current].join("\n");
    })
    .join("\n");
}

/** The same; a command line of `program` that doesn't fit stands on a line of its own, whole, to be pasted. */
export function wrapAroundCommands(text: string, width: number, program: string): string {
  return text
    .split("\n")
    .map((line) => {
      if (displayWidth(line) <= width) return line;
      if (line.startsWith(`${program} `)) return `  ${line}`;
      const at = line.startsWith(" ") ? -1 : line.lastIndexOf(`: ${program} `);
      return at < 0
        ? wrap(line, width)
        : `${wrap(line.slice(0, at + 1), width)}\n  ${line.slice(at + 2)}`;
    })
    .join("\n");
}

/** Loaded for a text that needs it: with its tables of characters it takes as long as a short command. */
const stringWidth = once((): typeof StringWidth => {
  const loaded: { readonly default: typeof StringWidth } = createRequire(import.meta.url)(
    "string-width",
  );
  return loaded.default;
});

/**
 * Texts of which each character takes one column, whatever stands beside it: Latin, Greek and Cyrillic letters,
 * dashes, quotes, arrows, mathematical signs and lines.
 */
const plain =
  /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03ff\u0400-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u257f]*$/;

/** How many columns of a terminal a text takes: colours none, wide characters two. */
export const displayWidth = (text: string): number =>
  plain.test(text) ? text.length : stringWidth()(text);
