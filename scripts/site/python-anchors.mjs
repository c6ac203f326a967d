/**
 * Griffe's Markdown with an anchor for each thing that its links name, and titles without the package;
 * links to what is not on the page (`str`, other packages) become the bare name.
 */
export function withAnchors(markdown) {
  const shown = new Set();
  return markdown
    .replace(/^(#+) `(touchstone_t2i\.?([\w.]*))`$/gm, (_, level, name, title) => {
      shown.add(name);
      return title === ""
        ? `${level} Python: functions and classes`
        : `${level} ${title} {#${name}}`;
    })
    .replace(/\[([^\]]+)\]\(#([^)]*)\)/g, (whole, label, name) =>
      shown.has(name) ? whole : label,
    );
}
