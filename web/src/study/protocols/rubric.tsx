import { useContext, useState } from "react";
import { SightContext } from "../sight.js";
import { useItemKeys } from "../use-item-keys.js";
import { filled, useWords } from "../words/words.js";
import { AnswerButtons } from "./answer-buttons.js";
import { StudyImage } from "./study-image.js";
import { textOf, textsOf, type View } from "./view.js";

/** A set of images and one item of a rubric; the images that show it may be marked by their numbers. */
export const Rubric: View = ({ client, block, item, given, onDraft, submit }) => {
  const words = useWords();
  const names = textsOf(item, "images");
  const [marked, setMarked] = useState<readonly string[]>(textsOf(given ?? {}, "images"));
  const toggle = (name: string) => {
    const now = marked.includes(name) ? marked.filter((one) => one !== name) : [...marked, name];
    setMarked(now);
    onDraft({ ...given, images: now });
  };
  const { isReady } = useContext(SightContext);
  // Of a tenth image the first digit would mark another.
  const hasKeys = isReady && names.length <= 9;
  useItemKeys(
    Object.fromEntries(hasKeys ? names.map((name, at) => [`${at + 1}`, () => toggle(name)]) : []),
  );
  const question = textOf(item, "question") || (block.question ?? words.question.rubric);
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
          value: key,
          key,
          label,
          chosen: given?.present === present,
          choose: () => submit({ present, images: present === true ? marked : [] }),
        }))}
      />
    </>
  );
};
