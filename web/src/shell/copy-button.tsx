import { useState } from "react";

/** Copies a text, which is made when it is wanted; nothing where the browser lets no page copy. */
export function CopyButton({
  text,
  children,
}: {
  readonly text: () => string;
  readonly children: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const { clipboard } = navigator;
  if (clipboard === undefined) return null;
  const copy = () =>
    void clipboard.writeText(text()).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <button type="button" onClick={copy}>
      {isCopied ? "Copied ✓" : children}
    </button>
  );
}
