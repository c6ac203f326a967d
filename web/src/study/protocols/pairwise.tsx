import { useEffect, useId, useRef, useState } from "react";
import { useWords } from "../words/words.js";
import { AnswerButtons } from "./answer-buttons.js";
import { StudyImage } from "./study-image.js";
import { type Images, textOf, textsOf, type View } from "./view.js";

/** Two images or two sets; one is preferred, or neither. */
export const Pairwise: View = ({ client, block, item, given, onDraft, submit }) => {
  const words = useWords();
  const whyField = useId();
  const whyInput = useRef<HTMLInputElement>(null);
  const [preferred, setPreferred] = useState(textOf(given ?? {}, "preferred"));
  const [why, setWhy] = useState(textOf(given ?? {}, "why"));
  const caption = textOf(item, "caption");
  const asksWhy = item.why === true;
  const question =
    block.question ?? (caption === "" ? words.question.pairwise : words.question.pairwiseCaption);
  const tie = textOf(item, "tie");
  // Numbers, since people call their folders and models A and B.
  const choices: (readonly [key: string, value: string, label: string, arrow?: string])[] = [
    ["1", "a", words.first, "ArrowLeft"],
    ["2", "b", words.second, "ArrowRight"],
    ...(tie === "tie" ? [["t", "tie", words.tie] as const] : []),
    ...(tie === "undecided" ? [["t", "undecided", words.undecided] as const] : []),
  ];
  // Who has chosen may write why, or press Enter.
  useEffect(() => {
    if (preferred !== "") whyInput.current?.focus();
  }, [preferred]);
  const choose = (value: string) => {
    if (!asksWhy) return submit({ preferred: value });
    setPreferred(value);
    onDraft({ preferred: value, why });
  };
  return (
    <>
      {caption !== "" && <p className="text">{caption}</p>}
      <div className="sides">
        <Side client={client} label={`1: ${words.first}`} names={textsOf(item, "a")} />
        <Side client={client} label={`2: ${words.second}`} names={textsOf(item, "b")} />
      </div>
      <h1 className="question">{question}</h1>
      <AnswerButtons
        label={question}
        choices={choices.map(([key, value, label, arrow]) => ({
          value,
          key,
          arrow,
          label,
          chosen: preferred === value,
          choose: () => choose(value),
        }))}
      />
      {asksWhy && preferred !== "" && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit({ preferred, ...(why.trim() === "" ? {} : { why: why.trim() }) });
          }}
        >
          <label htmlFor={whyField}>{words.why}</label>
          <input
            id={whyField}
            value={why}
            onChange={({ target }) => {
              setWhy(target.value);
              onDraft({ preferred, why: target.value });
            }}
            ref={whyInput}
          />
          <button type="submit" className="main">
            {words.send}
          </button>
        </form>
      )}
    </>
  );
};

function Side({
  client,
  label,
  names,
}: {
  readonly client: Images;
  readonly label: string;
  readonly names: readonly string[];
}) {
  const words = useWords();
  return (
    <figure>
      <div className={names.length > 1 ? "set" : ""}>
        {names.map((name, at) => {
          const number = at + 1;
          const alt =
            names.length === 1
              ? label
              : `${label}, ${words.imageNumber.replace("{number}", String(number))}`;
          return <StudyImage key={name} client={client} name={name} alt={alt} />;
        })}
      </div>
      <figcaption>{label}</figcaption>
    </figure>
  );
}
