import type { Finished } from "../study-client.js";
import { useWords } from "../words/words.js";
import { Paragraphs } from "./paragraphs.js";

export type EndKind = "finished" | "declined" | "left" | "erased" | "refused";

/** Where it ends: thanks, what was withheld, the code or the way back. */
export function End({
  kind,
  finished = {},
  message,
}: {
  readonly kind: EndKind;
  readonly finished?: Finished | undefined;
  readonly message?: string | undefined;
}) {
  const words = useWords();
  const { code, redirect, debrief, generated } = finished;
  const sentence = {
    finished: words.finished,
    declined: words.declined,
    left: `${words.left} ${words.leaveKept}`,
    erased: `${words.left} ${words.leaveErased}`,
    refused: message ?? "",
  }[kind];
  return (
    <main>
      <p className="lead" role="status">
        {sentence}
      </p>
      {generated === true && debrief !== words.generated && <p>{words.generated}</p>}
      {typeof debrief === "string" && (
        <>
          <h2>{words.debrief}</h2>
          <Paragraphs text={debrief} />
        </>
      )}
      {code !== undefined && (
        <p>
          {words.code}: <b className="code">{code}</b>
        </p>
      )}
      {redirect !== undefined && (
        <p>
          <a className="main" href={redirect}>
            {words.redirect}
          </a>
        </p>
      )}
    </main>
  );
}
