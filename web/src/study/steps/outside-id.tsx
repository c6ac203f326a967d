import { useId, useState } from "react";
import { useWords } from "../words/words.js";

/** Asks for the outside id where the address names none. */
export function OutsideId({ join }: { readonly join: (by: object) => void }) {
  const words = useWords();
  const [id, setId] = useState("");
  const field = useId();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() !== "") join({ external: { source: "typed", id: id.trim() } });
      }}
    >
      <p>{words.noInvitation}</p>
      <label htmlFor={field}>{words.outsideId}</label>
      <p className="quiet">{words.outsideIdHint}</p>
      <input id={field} value={id} onChange={({ target }) => setId(target.value)} />
      <p>
        <button type="submit" className="main" disabled={id.trim() === ""}>
          {words.begin}
        </button>
      </p>
    </form>
  );
}
