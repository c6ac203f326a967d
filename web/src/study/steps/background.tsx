import { useState } from "react";
import type { BackgroundQuestion } from "../study-client.js";
import { useWords } from "../words/words.js";

/** Questions about the person; each may be left out. */
export function Background({
  questions,
  send,
}: {
  readonly questions: readonly BackgroundQuestion[];
  readonly send: (answers: Readonly<Record<string, string | null>>) => void;
}) {
  const words = useWords();
  const [answers, setAnswers] = useState<Readonly<Record<string, string | null>>>(
    Object.fromEntries(questions.map(({ name }) => [name, null])),
  );
  const set = (name: string, value: string | null) =>
    setAnswers((given) => ({ ...given, [name]: value === "" ? null : value }));
  return (
    <main>
      <h2>{words.aboutYou}</h2>
      <p className="quiet">{words.aboutYouHint}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(answers);
        }}
      >
        {questions.map(({ name, question, choices }) =>
          choices === undefined ? (
            <p key={name}>
              <label htmlFor={`about-${name}`}>{question}</label>
              <input
                id={`about-${name}`}
                value={answers[name] ?? ""}
                onChange={({ target }) => set(name, target.value)}
              />
            </p>
          ) : (
            <fieldset key={name}>
              <legend>{question}</legend>
              {[...choices, null].map((choice) => (
                <label key={choice ?? ""} className="option">
                  <input
                    type="radio"
                    name={name}
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
    </main>
  );
}
