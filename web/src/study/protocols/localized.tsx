import { useWords } from "../words/words.js";
import { AnswerButtons } from "./answer-buttons.js";
import { StudyImage } from "./study-image.js";
import { textOf, type View } from "./view.js";

/** One question about one entity: yes, no or can't tell. */
export const Localized: View = ({ client, block, item, given, submit }) => {
  const words = useWords();
  const question = block.question ?? textOf(item, "question");
  const box = Array.isArray(item.box) ? item.box.map(Number) : undefined;
  const choices = [
    ["y", "yes", words.yes],
    ["n", "no", words.no],
    ["?", "cannot-tell", words.cannotTell],
  ] as const;
  return (
    <>
      <StudyImage
        client={client}
        name={textOf(item, "image")}
        alt={words.image}
        box={box}
        zoomKey
      />
      <h1 className="question">{question}</h1>
      <AnswerButtons
        label={question}
        choices={choices.map(([key, value, label]) => ({
          value,
          key,
          label,
          chosen: given?.value === value,
          choose: () => submit({ value }),
        }))}
      />
    </>
  );
};
