import type { EndName, Finished, StudyIntroduction } from "../study-client.js";
import { useWords } from "../words/words.js";

/** Says that nothing is stored, and leads to the beginning and to each end. */
export function PreviewBar({
  ends,
  onEnd,
  onBack,
}: {
  readonly ends: NonNullable<StudyIntroduction["preview"]>;
  readonly onEnd: (name: EndName, end: Finished & { readonly message?: string }) => void;
  /** Goes on where somebody was. */
  readonly onBack: () => void;
}) {
  const words = useWords();
  return (
    <aside className="notice preview" aria-label={words.preview}>
      <p>
        <b>{words.preview}</b>: {words.previewHint}
      </p>
      <details>
        <summary>{words.previewPages}</summary>
        <div className="choices">
          <button type="button" onClick={beginAnew}>
            {words.beginAnew}
          </button>
          <button type="button" onClick={onBack}>
            {words.goOn}
          </button>
          {(Object.entries(ends) as [EndName, Finished][]).map(([name, end]) => (
            <button key={name} type="button" onClick={() => onEnd(name, end)}>
              {words.ends[name]}
            </button>
          ))}
        </div>
      </details>
    </aside>
  );
}

/** As somebody who was never here. */
const beginAnew = () => location.assign(`/?participant=preview-${Date.now()}`);
