import type { Block } from "../study-client.js";
import { useWords, type Words } from "../words/words.js";
import { AnswerButtons } from "./answer-buttons.js";
import { StudyImage } from "./study-image.js";
import { textOf, type View } from "./view.js";

/** The levels of a block in the words that are read, from the lowest up. */
export const levelsOf = (
  block: Pick<Block, "levels">,
  { name, words }: { readonly name: "rating" | "likert"; readonly words: Words },
): NonNullable<Block["levels"]> =>
  block.levels ??
  words.levels[name].map((label, at) => ({ value: at + 1, label, description: null }));

/** Rating and Likert: one image, its text, and levels from the lowest up. */
const levelsView =
  (name: "rating" | "likert"): View =>
  ({ client, block, item, given, submit }) => {
    const words = useWords();
    const question = block.question ?? words.question[name];
    const levels = levelsOf(block, { name, words });
    // Digits one after the other would answer by the first of them; a minus has no key of its own.
    const hasKeys = levels.every(({ value }) => value >= 0 && value <= 9);
    return (
      <>
        <p className="text">
          <span className="visually-hidden">{words.textLabel}: </span>
          {textOf(item, "text")}
        </p>
        <StudyImage client={client} name={textOf(item, "image")} alt={words.image} zoomKey />
        <h1 className="question">{question}</h1>
        <AnswerButtons
          label={question}
          choices={levels.map(({ value, label, description }) => ({
            value: String(value),
            key: hasKeys ? String(value) : undefined,
            label,
            description,
            chosen: given?.value === value,
            choose: () => submit({ value }),
          }))}
        />
      </>
    );
  };

export const Rating = levelsView("rating");
export const Likert = levelsView("likert");
