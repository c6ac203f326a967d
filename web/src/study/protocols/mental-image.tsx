import { useContext, useId, useState } from "react";
import { SightContext } from "../sight.js";
import type { Answer } from "../study-client.js";
import { filled, useWords, type Words } from "../words/words.js";
import { Sketch, type Stroke } from "./sketch.js";
import { StudyImage } from "./study-image.js";
import { textOf, type View } from "./view.js";

interface Column {
  readonly label: string;
  readonly images: readonly string[];
}

type Aspect = keyof Words["comments"];
type Comments = Readonly<Record<string, Readonly<Partial<Record<Aspect, string>>>>>;

/** Everything that somebody wrote and drew so far. */
interface Said {
  readonly words: string;
  readonly sketch: readonly Stroke[];
  readonly comments: Comments;
}

const saidIn = (given: Answer | undefined): Said => ({
  words: textOf(given ?? {}, "words"),
  // Answers are the page's own, as the server keeps them.
  sketch: (given?.sketch as Stroke[]) ?? [],
  comments: (given?.comments as Comments) ?? {},
});

const answerOf = ({ sketch, ...said }: Said): Answer => ({
  ...said,
  ...(sketch.length === 0 ? {} : { sketch }),
});

const aspects: readonly Aspect[] = ["attributes", "fit", "stereotypes", "concerns"];

/** First what is expected, then one model's images after the other, then all of them together. */
export const MentalImage: View = ({
  client,
  block,
  item,
  given,
  step: stage,
  onStep,
  onDraft,
  submit,
}) => {
  const words = useWords();
  const expected = useId();
  const { isReady } = useContext(SightContext);
  const [said, setSaid] = useState<Said>(saidIn(given));
  const { words: text, sketch, comments } = said;
  const columns = (item.columns ?? []) as readonly Column[];
  const column = columns[stage - 1];
  // A facilitator leads from step to step.
  const isLast = stage > columns.length || onStep === undefined;
  const change = (part: Partial<Said>) => {
    const now = { ...said, ...part };
    setSaid(now);
    onDraft(answerOf(now));
  };
  const say = (label: string, aspect: Aspect, value: string) =>
    change({ comments: { ...comments, [label]: { ...comments[label], [aspect]: value } } });
  return (
    <form
      className="stages"
      onSubmit={(event) => {
        event.preventDefault();
        if (isLast) submit(answerOf(said));
        else onStep(stage + 1);
      }}
    >
      <p className="text">{textOf(item, "query")}</p>
      {stage === 0 && (
        <>
          <h1 className="question">{block.question ?? words.question["mental-image"]}</h1>
          <label htmlFor={expected}>{words.expect}</label>
          <textarea
            id={expected}
            rows={5}
            value={text}
            onChange={({ target }) => change({ words: target.value })}
          />
          <p>{words.sketch}</p>
          <Sketch strokes={sketch} change={(strokes) => change({ sketch: strokes })} />
        </>
      )}
      {column !== undefined && (
        <>
          <h1 className="question">{filled(words.set, { label: column.label })}</h1>
          <Images client={client} column={column} />
          {aspects.map((aspect) => (
            <p key={`${column.label} ${aspect}`}>
              <label htmlFor={`${expected}-${aspect}`}>{words.comments[aspect]}</label>
              <textarea
                id={`${expected}-${aspect}`}
                rows={2}
                value={comments[column.label]?.[aspect] ?? ""}
                onChange={({ target }) => say(column.label, aspect, target.value)}
              />
            </p>
          ))}
        </>
      )}
      {stage > columns.length && (
        <>
          <h1 className="question">{words.together}</h1>
          {columns.map((one) => (
            <section key={one.label} aria-label={filled(words.set, { label: one.label })}>
              <h2>{filled(words.set, { label: one.label })}</h2>
              <Images client={client} column={one} />
              <label htmlFor={`${expected}-${one.label}`}>{words.comments.concerns}</label>
              <textarea
                id={`${expected}-${one.label}`}
                rows={2}
                value={comments[one.label]?.concerns ?? ""}
                onChange={({ target }) => say(one.label, "concerns", target.value)}
              />
            </section>
          ))}
        </>
      )}
      <div className="choices">
        <button type="submit" className="main" disabled={!isReady}>
          {isLast ? words.send : words.next}
        </button>
      </div>
    </form>
  );
};

function Images({
  client,
  column: { label, images },
}: {
  readonly client: Parameters<View>[0]["client"];
  readonly column: Column;
}) {
  const words = useWords();
  return (
    <div className="set">
      {images.map((name, at) => {
        const number = filled(words.imageNumber, { number: at + 1 });
        return (
          <StudyImage
            key={name}
            client={client}
            name={name}
            alt={`${filled(words.set, { label })}, ${number}`}
          />
        );
      })}
    </div>
  );
}
