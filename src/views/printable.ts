/**
 * Control characters but tab and line end, and those that turn the direction of writing: they can
 * move a cursor, colour, or show a text in another order than it has.
 */
const hidden = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

const shown = (character: string) =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** Text from models and files, so that on a terminal it can't move the cursor or forge a line. */
export function printable(text: string): string {
  return printableLines(text).replace(/[\t\n]/g, shown);
}

/** The same for text of several lines: line ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(hidden, shown);
}
