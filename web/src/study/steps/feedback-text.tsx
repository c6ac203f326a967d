import { answerWords } from "../protocols/answer-words.js";
import type { Block, EarlierItem, Feedback } from "../study-client.js";
import { filled, useWords } from "../words/words.js";
import { Paragraphs } from "./paragraphs.js";

/** What is told of a practice item: whether it was answered as expected, what was expected, and why. */
export function FeedbackText({
  block,
  shown: { item, answer, practice },
  feedback: { right, expected, text },
}: {
  readonly block: Block;
  readonly shown: EarlierItem;
  readonly feedback: Feedback;
}) {
  const words = useWords();
  const said = (of: NonNullable<EarlierItem["answer"]>) => answerWords(of, { block, item, words });
  return (
    <>
      <p className="lead">
        <b>
          {right === null ? words.practiceSkipped : right ? words.asExpected : words.unexpected}
        </b>
      </p>
      {right === false && answer && <p>{filled(words.yourAnswer, { answer: said(answer) })}</p>}
      <p>{filled(words.expectedAnswer, { answer: said(expected) })}</p>
      {text !== undefined && <Paragraphs text={text} />}
      {practice !== undefined && practice.number === practice.total && <p>{words.practiceOver}</p>}
    </>
  );
}
