import type { StudyIntroduction } from "../study-client.js";
import { useWords, type Words } from "../words/words.js";

/** Saves what was agreed to as a file of the participant's own, with the pseudonym by which they can ask for erasure. */
export function KeepCopy({
  study,
  participant,
}: {
  readonly study: StudyIntroduction;
  readonly participant: string | undefined;
}) {
  const words = useWords();
  return (
    <p>
      <button
        type="button"
        className="quiet-button"
        onClick={() =>
          save({ name: "consent.txt", text: copyOf(study, { participant, words }) }, "text/plain")
        }
      >
        {words.keepCopy}
      </button>
    </p>
  );
}

function copyOf(
  { title, warning, consent, generated }: StudyIntroduction,
  { participant, words }: { readonly participant: string | undefined; readonly words: Words },
): string {
  const about = [
    ...(participant === undefined ? [] : [`${words.pseudonym}: ${participant}`]),
    `${words.version}: ${consent.version}`,
    `${words.savedOn}: ${new Date().toLocaleString()}`,
    // A page that is a file has no server to name.
    ...(location.protocol === "file:" ? [] : [location.origin]),
  ];
  return [title, warning, consent.text, generated ? words.generated : undefined, about.join("\n")]
    .filter((part) => part !== undefined)
    .join("\n\n")
    .concat("\n");
}

/** Hands a text over as a file. */
export function save({ name, text }: { name: string; text: string }, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
