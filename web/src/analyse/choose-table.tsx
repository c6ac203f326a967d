import { type RefObject, useState } from "react";
import { verbs } from "./verbs.js";

/** Where a table comes from: a file that is chosen or dropped, a text that is pasted, or a sample. */
export function ChooseTable({
  input,
  choose,
  chooseSample,
  isOpen,
}: {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly choose: (file: File) => void;
  readonly chooseSample: (verb: string) => void;
  readonly isOpen: boolean;
}) {
  const [pasted, setPasted] = useState("");
  const [isOver, setOver] = useState(false);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way; the button beside it is for keyboards */}
      <div
        className={isOver ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const [file] = event.dataTransfer.files;
          if (file !== undefined) choose(file);
        }}
      >
        <label>
          Drop a CSV, TSV, JSONL, JSON or Parquet file here, or choose one
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,.jsonl,.ndjson,.json,.parquet"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) choose(file);
              // The same file may be chosen again once it was changed.
              target.value = "";
            }}
          />
        </label>
        <p className="quiet">It stays on this machine: the page reads and analyses it itself.</p>
      </div>
      <details open={isOpen}>
        <summary>Paste a table, or take a sample</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            choose(new File([pasted], `pasted.${endingOf(pasted)}`));
          }}
        >
          <label>
            Rows of CSV, TSV or JSONL, names of columns first
            <textarea rows={5} value={pasted} onChange={({ target }) => setPasted(target.value)} />
          </label>
          <button type="submit" disabled={pasted.trim() === ""}>
            Read it
          </button>
        </form>
        <p>
          <span className="choices">
            Samples:{" "}
            {verbs.map(({ name }) => (
              <button key={name} type="button" onClick={() => chooseSample(name)}>
                {name}
              </button>
            ))}
          </span>
        </p>
      </details>
    </>
  );
}

function endingOf(text: string): string {
  if (text.trimStart().startsWith("[")) return "json";
  return text.trimStart().startsWith("{") ? "jsonl" : "csv";
}
