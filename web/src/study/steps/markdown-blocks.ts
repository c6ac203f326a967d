import { consentBox } from "../../../../src/studies/config/consent-boxes.js";

/** A part of a text in the subset of Markdown that researchers write their texts in. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "rule" }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly kind: "list";
      readonly isOrdered: boolean;
      readonly start: number;
      readonly items: readonly string[];
    }
  /** A statement with a box to tick; the how-manieth of the text, from 0. */
  | { readonly kind: "box"; readonly at: number; readonly text: string };

const heading = /^(#{1,6})\s+(.*?)\s*#*$/;
const rule = /^\s*([-*_])(\s*\1){2,}\s*$/;
const quote = /^\s*>\s?/;
const bullet = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;

/** Parts of a text, in order. What is no Markdown of this subset is a paragraph as it stands. */
export function markdownBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split(/\r?\n/);
  let boxes = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const before = blocks.at(-1);
    const isNew = at === 0 || (lines[at - 1] ?? "").trim() === "";
    const [, box] = consentBox.exec(line) ?? [];
    const [, marks, title] = heading.exec(line) ?? [];
    const [, number, item] = bullet.exec(line) ?? [];
    if (line.trim() === "") continue;
    if (box !== undefined) blocks.push({ kind: "box", at: boxes++, text: box });
    else if (title !== undefined)
      blocks.push({ kind: "heading", level: marks?.length ?? 1, text: title });
    else if (rule.test(line)) blocks.push({ kind: "rule" });
    else if (quote.test(line)) {
      const end = lines.findIndex((one, place) => place > at && !quote.test(one));
      const quoted = lines.slice(at, end < 0 ? undefined : end);
      blocks.push({
        kind: "quote",
        blocks: markdownBlocks(quoted.map((one) => one.replace(quote, "")).join("\n")),
      });
      at += quoted.length - 1;
    } else if (item !== undefined) {
      const isOrdered = number !== undefined;
      if (before?.kind === "list" && before.isOrdered === isOrdered) {
        blocks.splice(-1, 1, { ...before, items: [...before.items, item] });
      } else blocks.push({ kind: "list", isOrdered, start: Number(number ?? 1), items: [item] });
    } else if (!isNew && before !== undefined && "text" in before && before.kind !== "heading") {
      blocks.splice(-1, 1, { ...before, text: `${before.text}\n${line}` });
    } else if (!isNew && before?.kind === "list") {
      const items = [...before.items.slice(0, -1), `${before.items.at(-1)}\n${line.trim()}`];
      blocks.splice(-1, 1, { ...before, items });
    } else blocks.push({ kind: "paragraph", text: line });
  }
  return blocks;
}
