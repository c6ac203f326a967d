import { useRef } from "react";
import { useWords } from "../words/words.js";

/** Erases what is kept of somebody who is at their end, once they confirm it. */
export function EraseAnswers({
  isInFile,
  erase,
}: {
  /** Whether the page is a file: answers lie in the browser alone, and in files that were given away. */
  readonly isInFile: boolean;
  readonly erase: () => void;
}) {
  const words = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" className="quiet-button" onClick={() => dialog.current?.showModal()}>
        {words.erase}
      </button>
      <dialog ref={dialog} aria-labelledby="erase-title">
        <h2 id="erase-title">{words.eraseTitle}</h2>
        <p>{isInFile ? words.eraseHintInFile : words.eraseHint}</p>
        <form method="dialog" className="choices">
          <button type="submit" className="main">
            {words.eraseNot}
          </button>
          <button type="button" onClick={erase}>
            {words.erase}
          </button>
        </form>
      </dialog>
    </>
  );
}
