import { Fragment, type ReactNode } from "react";

/** What stands within a line: code, strong, emphasis, links. A link leads to the web or to a mailbox, nowhere else. */
const token =
  /\\([\\`*_[\]()<>#-])|`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|(?<!\w)_([^_\s](?:[^_]*[^_\s])?)_(?!\w)|\[([^\]]+)\]\(((?:https?:\/\/|mailto:)[^\s()<>]+)\)|<?((?:https?:\/\/)[^\s<>]*[^\s<>.,;:!?)])>?/g;

/** A line's text as elements: whatever else it holds is text, and nothing of it is run. */
export function inlineMarkdown(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, escaped, code, strong, starred, lined, label, target, address] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    const emphasis = starred ?? lined;
    if (escaped !== undefined) parts.push(escaped);
    else if (code !== undefined) parts.push(<code>{code}</code>);
    else if (strong !== undefined) parts.push(<strong>{inlineMarkdown(strong)}</strong>);
    else if (emphasis !== undefined) parts.push(<em>{inlineMarkdown(emphasis)}</em>);
    else {
      parts.push(
        <a href={target ?? address} target="_blank" rel="noopener noreferrer">
          {label === undefined ? address : inlineMarkdown(label)}
        </a>,
      );
    }
  }
  parts.push(text.slice(end));
  // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes while it is read
  return parts.map((part, at) => <Fragment key={at}>{part}</Fragment>);
}
