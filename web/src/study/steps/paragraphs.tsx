import type { ReactNode } from "react";
import { inlineMarkdown } from "./inline-markdown.js";
import { type Block, markdownBlocks } from "./markdown-blocks.js";

/** A researcher's text, formatted as Markdown; nothing of it is run. Boxes must be ticked to send the form around it. */
export function Paragraphs({ text }: { readonly text: string }): ReactNode {
  const blocks = markdownBlocks(text);
  return blockElements(blocks, headingLevels(blocks));
}

/** The levels of headings that a text uses, the highest first. */
const headingLevels = (blocks: readonly Block[]): readonly number[] =>
  [...new Set(blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : [])))].sort();

const blockElements = (blocks: readonly Block[], levels: readonly number[]): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes while it is read
  blocks.map((block, at) => <BlockElement key={at} block={block} levels={levels} />);

function BlockElement({
  block,
  levels,
}: {
  readonly block: Block;
  readonly levels: readonly number[];
}) {
  switch (block.kind) {
    case "paragraph":
      return <p>{inlineMarkdown(block.text)}</p>;
    case "heading": {
      // The page has its own title and a heading above each text; no level between is left out.
      const Heading = (["h3", "h4", "h5"] as const)[levels.indexOf(block.level)] ?? "h5";
      return <Heading>{inlineMarkdown(block.text)}</Heading>;
    }
    case "rule":
      return <hr />;
    case "quote":
      return <blockquote>{blockElements(block.blocks, levels)}</blockquote>;
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List {...(block.isOrdered && { start: block.start })}>
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes while it is read
            <li key={at}>{inlineMarkdown(item)}</li>
          ))}
        </List>
      );
    }
    case "box":
      return (
        <label className="option">
          <input type="checkbox" required name="consent-box" />
          <span>{inlineMarkdown(block.text)}</span>
        </label>
      );
  }
}
