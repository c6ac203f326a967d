import { keepReaderName, readerName } from "./reader-name.js";
import { leaveOnEscape } from "./use-typed.js";

/** Asks for the name that stands beside what the reader answers and notes. */
export const NameField = () => (
  <label className="field">
    Your name
    <input
      defaultValue={readerName()}
      maxLength={60}
      placeholder="stands beside what you say"
      onChange={({ target }) => keepReaderName(target.value)}
      onKeyDown={leaveOnEscape}
    />
  </label>
);
