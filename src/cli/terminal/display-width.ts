import { createRequire } from "node:module";
import type StringWidth from "string-width";
import { once } from "../../core/cache.js";

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
