import { useState } from "react";

/** A command to be given in a terminal, and a button that copies it where the browser lets it. */
export function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const { clipboard } = navigator;
  return (
    <div className="command">
      <pre>{text}</pre>
      {clipboard !== undefined && (
        <button
          type="button"
          onClick={() =>
            void clipboard.writeText(text).then(
              () => setCopied(true),
              () => {},
            )
          }
        >
          {isCopied ? "Copied ✓" : "Copy"}
        </button>
      )}
    </div>
  );
}
