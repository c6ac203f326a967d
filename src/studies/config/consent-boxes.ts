/** A line of a consent text that must be ticked: a task of Markdown. */
export const consentBox = /^\s*[-*+] \[[ xX]?\] +(.+)$/;

/**
 * The statements of a consent text that have a box each, in order: whoever agrees has ticked them all.
 *
 * @example consentBoxes("- [ ] I am 18 or older.") // ["I am 18 or older."]
 */
export const consentBoxes = (text: string): readonly string[] =>
  text.split(/\r?\n/).flatMap((line) => consentBox.exec(line)?.[1]?.trim() ?? []);
