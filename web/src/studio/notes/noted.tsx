import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { exported } from "../../shell/api.js";
import { useKeys } from "../../shell/keys.js";
import { NameField } from "../../shell/name-field.js";
import { Failure } from "../../shell/notices.js";
import { leaveOnEscape } from "../../shell/use-typed.js";
import { notesQuery, sendNote } from "../queries.js";

/**
 * Tags and comments of a run or of images, and a field for more.
 *
 * @param options.of the keys of the images; of the run itself, if not given
 */
export function Noted({ run, of }: { readonly run: string; readonly of?: readonly string[] }) {
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState<Error | null>(null);
  const { data } = useQuery(notesQuery(run));
  useKeys([{ key: "n", does: "tag it, or note something", run: () => field.current?.focus() }]);
  if (exported.source !== undefined || data === undefined) return null;
  const noted = of === undefined ? [data] : of.flatMap((key) => data.images[key] ?? []);
  const tags = [...new Set(noted.flatMap((one) => one.tags))];
  const comments = noted.flatMap((one) => one.comments);
  const text = words.trim();
  const note = async (given: Readonly<Record<string, unknown>>) => {
    try {
      const about = of === undefined ? given : { of, ...given };
      client.setQueryData(notesQuery(run).queryKey, await sendNote(run, about));
      setWords("");
      setProblem(null);
      await client.invalidateQueries({ queryKey: of === undefined ? ["runs"] : ["items", run] });
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return (
    <section aria-label="Notes">
      <form
        className="steps"
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== "") void note({ comment: text });
        }}
      >
        {tags.map((tag) => (
          <button
            key={tag}
            type="button"
            className="chip"
            aria-label={`Take the tag ${tag} off`}
            onClick={() => void note({ untag: tag })}
          >
            {tag} ✕
          </button>
        ))}
        <input
          ref={field}
          aria-label="Tag or comment"
          placeholder="tag or comment"
          value={words}
          maxLength={2000}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={leaveOnEscape}
        />
        <button type="submit" disabled={text === ""}>
          Comment
        </button>
        <button
          type="button"
          disabled={text === "" || text.length > 60}
          onClick={() => void note({ tag: text })}
        >
          Tag
        </button>
        {of === undefined && (
          <button
            type="button"
            disabled={text.length > 120}
            onClick={() => void note({ title: text })}
          >
            {text === "" ? "Use its own name" : "Rename"}
          </button>
        )}
      </form>
      {comments.length > 0 && (
        <ul>
          {comments.map(({ text: said, by, at }) => (
            <li key={`${at} ${said}`}>
              {said}{" "}
              <small>
                {by ?? "somebody"}, {new Date(at).toLocaleString()}
              </small>
            </li>
          ))}
        </ul>
      )}
      {text !== "" && <NameField />}
      {problem !== null && <Failure error={problem} />}
    </section>
  );
}
