import { useState } from "react";
import { useItemKeys } from "../use-item-keys.js";
import { filled, useWords } from "../words/words.js";
import { AnswerButtons } from "./answer-buttons.js";
import { StudyImage } from "./study-image.js";
import { textOf, textsOf, type View } from "./view.js";

/** A set of images and one item of a rubric; the images that show it may be marked by their numbers. */
export const Rubric: View = ({ client, block, item, given, submit }) => {
  const words = useWords();
  const names = textsOf(item, "images");
  const [marked, setMarked] = useState<readonly string[]>(textsOf(given ?? {}, "images"));
  const toggle = (name: string) =>
    setMarked((now) => (now.includes(name) ? now.filter((one) => one !== name) : [...now, name]));
  useItemKeys(Object.fromEntries(names.map((name, at) => [String(at + 1), () => toggle(name)])));
  const question = block.question ?? words.question.rubric;
  const choices = [
    ["y", true, words.present],
    ["n", false, words.notPresent],
    ["?", null, words.cannotTell],
  ] as const;
  const examples = textOf(item, "examples");
  return (
    <>
      <p className="text">{textOf(item, "query")}</p>
      <fieldset className="set">
        <legend className="quiet">{words.rubricImages}</legend>
        {names.map((name, at) => {
          const label = filled(words.imageNumber, { number: at + 1 });
          return (
            <span key={name} className="marked">
              <StudyImage client={client} name={name} alt={label} />
              <label className="option">
                <input
                  type="checkbox"
                  checked={marked.includes(name)}
                  onChange={() => toggle(name)}
                />
                {label}
              </label>
            </span>
          );
        })}
      </fieldset>
      <h1 className="question">
        {textOf(item, "item")}: {question}
      </h1>
      <p>{textOf(item, "definition")}</p>
      {examples !== "" && (
        <p className="quiet">
          {words.examples}: {examples}
        </p>
      )}
      <AnswerButtons
        label={question}
        choices={choices.map(([key, present, label]) => ({
          key,
          label,
          chosen: given?.present === present,
          choose: () => submit({ present, images: present === true ? marked : [] }),
        }))}
      />
    </>
  );
};
