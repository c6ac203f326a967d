/** Spaces within a number and its unit, and within an interval: no line ends there. */
const bound = /(?<=\d) (?=%)|(?<=\[[^\s\]]+,) (?=[^\s\]]+\])/g;
const boundSpace = "\u00a0";

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
      for (const word of line.replace(bound, boundSpace).split(" ")) {
        if (current !== "" && current.length + 1 + word.length > width) {
          lines.push(current);
          current = word;
        } else current = current === "" ? word : `${current} ${word}`;
      }
      return [...lines, current].join("\n").replaceAll(boundSpace, " ");
    })
    .join("\n");
}
