import type { OfflinePage } from "../offline-page.js";
import { keepsAll } from "../session-store.js";
import { useWords } from "../words/words.js";
import { save } from "./keep-copy.js";

/** Saves what was answered as a file: a page without a server sends nothing by itself. */
export function SaveAnswers({
  page,
  isAtEnd,
}: {
  readonly page: OfflinePage;
  readonly isAtEnd: boolean;
}) {
  const words = useWords();
  return (
    <aside className="save" aria-label={words.saveAnswers}>
      <p className={isAtEnd ? "lead" : "quiet"}>
        {isAtEnd ? words.saveHint : keepsAll() ? words.saveKept : words.saveNow}
      </p>
      <p>
        <button
          type="button"
          className={isAtEnd ? "main" : "quiet-button"}
          onClick={() => save(page.file(), "application/json")}
        >
          {isAtEnd ? words.saveAnswers : words.saveSoFar}
        </button>
      </p>
    </aside>
  );
}
