import { useState } from "react";
import type { BackgroundQuestion } from "../study-client.js";
import { useWords } from "../words/words.js";
import { Leave } from "./leave.js";

/** Questions about the person. None is answered for them: leaving one out is an answer that is chosen, too. */
export function Background({
  questions,
  send,
  onLeave,
}: {
  readonly questions: readonly BackgroundQuestion[];
  readonly onLeave: (erase: boolean) => void;
  readonly send: (answers: Readonly<Record<string, string | null>>) => void;
}) {
  const words = useWords();
  const [answers, setAnswers] = useState<Readonly<Record<string, string | null>>>({});
  const set = (name: string, value: string | null) =>
    setAnswers((given) => ({ ...given, [name]: value === "" ? null : value }));
  return (
    <main>
      <h2>{words.aboutYou}</h2>
      <p className="quiet">{words.aboutYouHint}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(Object.fromEntries(questions.map(({ name }) => [name, answers[name] ?? null])));
        }}
      >
        {questions.map(({ name, question, choices, needed = false, pattern }) =>
          choices === undefined ? (
            <p key={name}>
              <label htmlFor={`about-${name}`}>{question}</label>
              {needed && <span className="quiet">{words.needed}</span>}
              <input
                id={`about-${name}`}
                required={needed || pattern !== undefined}
                pattern={pattern}
                title={pattern && question}
                value={answers[name] ?? ""}
                onChange={({ target }) => set(name, target.value)}
              />
            </p>
          ) : (
            <fieldset key={name}>
              <legend>{question}</legend>
              {needed && <p className="quiet">{words.needed}</p>}
              {[...choices, ...(needed ? [] : [null])].map((choice) => (
                <label key={choice ?? ""} className="option">
                  <input
                    type="radio"
                    name={name}
                    required
                    checked={answers[name] === choice}
                    onChange={() => set(name, choice)}
                  />
                  {choice ?? words.noAnswer}
                </label>
              ))}
            </fieldset>
          ),
        )}
        <button type="submit" className="main">
          {words.continue}
        </button>
      </form>
      <p>
        <Leave leave={onLeave} />
      </p>
    </main>
  );
}
