import { useRef } from "react";
import { useWords } from "../words/words.js";

/** The way out, always there: with the answers so far or without. */
export function Leave({ leave }: { readonly leave: (erase: boolean) => void }) {
  const words = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        className="leave quiet-button"
        onClick={() => dialog.current?.showModal()}
      >
        {words.leave}
      </button>
      <dialog ref={dialog} aria-labelledby="leave-title">
        <h2 id="leave-title">{words.leaveTitle}</h2>
        <form method="dialog" className="choices">
          <button type="submit" className="main">
            {words.stay}
          </button>
          <button type="button" onClick={() => leave(false)}>
            {words.leaveKeep}
          </button>
          <button type="button" onClick={() => leave(true)}>
            {words.leaveErase}
          </button>
        </form>
      </dialog>
    </>
  );
}
