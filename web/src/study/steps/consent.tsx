import type { StudyIntroduction } from "../study-client.js";
import { useWords } from "../words/words.js";
import { KeepCopy } from "./keep-copy.js";
import { Paragraphs } from "./paragraphs.js";

/** Shows what may disturb, the text to agree to with its boxes, and both answers. */
export function Consent({
  study,
  participant,
  decide,
}: {
  readonly study: StudyIntroduction;
  readonly participant?: string | undefined;
  /** Not given where somebody only looks. */
  readonly decide?: ((agreed: boolean) => void) | undefined;
}) {
  const words = useWords();
  return (
    <main>
      {study.warning !== undefined && (
        <section className="notice" aria-labelledby="warning">
          <h2 id="warning">{words.warning}</h2>
          <Paragraphs text={study.warning} />
        </section>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          decide?.(true);
        }}
      >
        <h2>{words.consentTitle}</h2>
        <div className="prose">
          <Paragraphs text={study.consent.text} />
        </div>
        {study.generated && <p>{words.generated}</p>}
        <KeepCopy study={study} participant={participant} />
        {decide === undefined ? (
          <p className="notice">{words.onlyLooking}</p>
        ) : (
          <div className="choices">
            <button type="submit" className="main">
              {words.agree}
            </button>
            <button type="button" onClick={() => decide(false)}>
              {words.decline}
            </button>
          </div>
        )}
      </form>
    </main>
  );
}
