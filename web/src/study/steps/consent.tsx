import type { StudyIntroduction } from "../study-client.js";
import { useWords } from "../words/words.js";
import { Paragraphs } from "./paragraphs.js";

/** Shows what may disturb, the text to agree to, and both answers. */
export function Consent({
  study,
  decide,
}: {
  readonly study: StudyIntroduction;
  readonly decide: (agreed: boolean) => void;
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
      <h2>{words.consentTitle}</h2>
      <Paragraphs text={study.consent.text} />
      {study.generated && <p>{words.generated}</p>}
      <div className="choices">
        <button type="button" className="main" onClick={() => decide(true)}>
          {words.agree}
        </button>
        <button type="button" onClick={() => decide(false)}>
          {words.decline}
        </button>
      </div>
    </main>
  );
}
