import { printableLines } from "../../views/printable.js";

/** Text that is already HTML. Only `html` and `trusted` make it, so data can't pass for it. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }
}

/** Content of a template: text is escaped, HTML is kept, lists are joined, nothing is nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

const replacements: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Makes text harmless inside an element and inside a quoted attribute; hidden characters show. */
export function escapeHtml(text: string): string {
  return printableLines(text).replace(
    /[&<>"']/g,
    (character) => replacements[character] ?? character,
  );
}

/**
 * A template whose values are escaped unless they are HTML. Attributes must be quoted.
 *
 * @example html`<b title="${'"'}">${"<i>"}</b>`.source // '<b title="&quot;">&lt;i&gt;</b>'
 */
export function html(pieces: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(pieces.reduce((before, piece, at) => before + sourceOf(values[at - 1]) + piece));
}

/** HTML that this program made itself, such as the SVG of a plot. Never text from elsewhere. */
export function trusted(source: string): Html {
  return new Html(source);
}

function sourceOf(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (content instanceof Html) return content.source;
  if (typeof content === "object") return content.map(sourceOf).join("");
  return escapeHtml(String(content));
}
