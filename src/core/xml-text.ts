const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/**
 * A text as it stands in an element or an attribute of XML 1.0, which has no control characters but tab and line ends.
 *
 * @example xmlText("a < b") // "a &lt; b"
 */
export const xmlText = (text: string): string =>
  text
    .replace(/(?![\t\n\r])\p{Cc}|\ufffe|\uffff/gu, " ")
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
