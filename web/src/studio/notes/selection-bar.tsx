import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { shellWord } from "../../../../src/core/shell-word.js";
import { exported, send } from "../../shell/api.js";
import { Command } from "../../shell/command.js";
import { Failure } from "../../shell/notices.js";
import { countText, pluralText } from "../../shell/numbers.js";
import type { Selection } from "../gallery/use-selection.js";
import { notesQuery, sendNote, sendTable } from "../queries.js";

/** What can be done with the images that are chosen: tags, a comment, an exclusion, a table, a study. */
export function SelectionBar({
  run,
  selection: { keys, clear },
}: {
  readonly run: string;
  readonly selection: Selection;
}) {
  const client = useQueryClient();
  const [words, setWords] = useState("");
  const [said, setSaid] = useState("");
  const [table, setTable] = useState<string>();
  const [problem, setProblem] = useState<Error | null>(null);
  if (exported.source !== undefined || keys.size === 0) return null;
  const of = [...keys];
  const text = words.trim();
  const tag = text.slice(0, 60).trim();
  const images = pluralText(keys.size, "image");
  /** Does something with the words that are typed, and says what came of it. */
  const act = (work: () => Promise<string>) => async () => {
    try {
      setSaid(await work());
      setProblem(null);
      setWords("");
      await client.invalidateQueries({ queryKey: ["items", run] });
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const note = async (given: Readonly<Record<string, unknown>>, done: string) => {
    client.setQueryData(notesQuery(run).queryKey, await sendNote(run, { of, ...given }));
    return done;
  };
  const exclude = async (reason: string | null) => {
    const address = `/api/runs/${encodeURIComponent(run)}/excluded`;
    const { triplets } = await send<{ triplets: readonly string[] }>(address, { of, reason });
    const counted = pluralText(triplets.length, "triplet");
    return reason === null ? `${counted} counted again` : `${counted} excluded`;
  };
  const write = async () => {
    const name = text === "" ? "selection" : text.replace(/[^\w-]+/g, "-").slice(0, 60);
    const { path, left } = await sendTable(run, { name, of });
    setTable(path);
    const lacking = `; ${pluralText(left, "image")} left out: no image`;
    return `Written to ${path}${left === 0 ? "" : lacking}`;
  };
  return (
    <section className="selection" aria-label="Chosen images">
      <b>{images} chosen</b>
      <input
        aria-label="Tag, comment, reason or name"
        placeholder="tag, comment, reason or name"
        value={words}
        maxLength={200}
        onChange={({ target }) => setWords(target.value)}
      />
      <button
        type="button"
        disabled={text === ""}
        onClick={act(() => note({ tag }, `${images} tagged ${tag}`))}
      >
        Tag
      </button>
      <button
        type="button"
        disabled={text === ""}
        onClick={act(() => note({ untag: tag }, `${tag} taken off`))}
      >
        Untag
      </button>
      <button
        type="button"
        disabled={text === ""}
        onClick={act(() => note({ comment: text }, "Commented"))}
      >
        Comment
      </button>
      <button type="button" disabled={text === ""} onClick={act(() => exclude(text))}>
        Exclude
      </button>
      <button type="button" onClick={act(() => exclude(null))}>
        Count again
      </button>
      <button type="button" onClick={act(write)}>
        Write a table
      </button>
      <button type="button" className="plain" onClick={clear}>
        Choose none
      </button>
      <span className="quiet" role="status">
        {said}
      </span>
      {problem !== null && <Failure error={problem} />}
      {table !== undefined && (
        <details>
          <summary>Ask people about these {countText(keys.size)}, or score them</summary>
          <Command
            text={`touchstone study create study.yaml --from ${shellWord(table)} --run studies/chosen`}
          />
          <Command text={`touchstone score ${shellWord(table)} --metric vqa-score --model MODEL`} />
        </details>
      )}
    </section>
  );
}
