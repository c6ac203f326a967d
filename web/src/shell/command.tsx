import { Fragment } from "react";
import { CopyButton } from "./copy-button.js";

/** A command to be given in a terminal, and a button that copies it where the browser lets it. */
export const Command = ({ text }: { readonly text: string }) => (
  <div className="command">
    <pre>
      {text.split(" ").map((word, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a command never move
        <Fragment key={at}>
          {at > 0 && " "}
          <span>{word}</span>
        </Fragment>
      ))}
    </pre>
    <CopyButton text={() => text}>Copy</CopyButton>
  </div>
);
