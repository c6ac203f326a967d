/** A researcher's text as it is: paragraphs between empty lines, headings behind #; nothing of it is run. */
export function Paragraphs({ text }: { readonly text: string }) {
  return (
    <>
      {paragraphsOf(text).map((paragraph, at) => {
        const [, heading] = /^#+\s+(.*)$/.exec(paragraph.trim()) ?? [];
        // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes while it is read
        if (heading !== undefined) return <h3 key={at}>{heading}</h3>;
        // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes while it is read
        return <p key={at}>{paragraph}</p>;
      })}
    </>
  );
}

/** A heading is a paragraph of its own, with or without an empty line below it. */
const paragraphsOf = (text: string): readonly string[] =>
  text.replace(/^(#+ .*)$/gm, "$1\n").split(/\n\s*\n/);
