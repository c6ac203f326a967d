import type { ReactNode } from "react";
import { inlineMarkdown } from "./inline-markdown.js";
import { type Block, markdownBlocks } from "./markdown-blocks.js";

/** A researcher's text, formatted as Markdown; nothing of it is run. Boxes must be ticked to send the form around it. */
export const Paragraphs = ({ text }: { readonly text: string }): ReactNode =>
  blockElements(markdownBlocks(text));

const blockElements = (blocks: readonly Block[]): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes while it is read
  blocks.map((block, at) => <BlockElement key={at} block={block} />);

function BlockElement({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "paragraph":
      return <p>{inlineMarkdown(block.text)}</p>;
    case "heading": {
      // The page has its own title and a heading above each text.
      const Heading = block.level === 1 ? "h3" : block.level === 2 ? "h4" : "h5";
      return <Heading>{inlineMarkdown(block.text)}</Heading>;
    }
    case "rule":
      return <hr />;
    case "quote":
      return <blockquote>{blockElements(block.blocks)}</blockquote>;
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
