import { CopyButton } from "./copy-button.js";

/** A command to be given in a terminal, and a button that copies it where the browser lets it. */
export const Command = ({ text }: { readonly text: string }) => (
  <div className="command">
    <pre>{text}</pre>
    <CopyButton text={() => text}>Copy</CopyButton>
  </div>
);
