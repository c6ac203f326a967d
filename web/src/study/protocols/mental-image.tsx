import { useEffect, useId, useState } from "react";
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

const aspects: readonly Aspect[] = ["attributes", "fit", "stereotypes", "concerns"];

/** First what is expected, then one model's images after the other, then all of them together. */
export const MentalImage: View = ({ client, block, item, given, submit, led }) => {
  const words = useWords();
  const expected = useId();
  const [ownStage, setStage] = useState(0);
  const stage = led?.step ?? ownStage;
  const [text, setText] = useState(textOf(given ?? {}, "words"));
  const [sketch, setSketch] = useState<readonly Stroke[]>((given?.sketch as Stroke[]) ?? []);
  const [comments, setComments] = useState<Comments>((given?.comments as Comments) ?? {});
  const columns = (item.columns ?? []) as readonly Column[];
  const column = columns[stage - 1];
  const isLast = stage > columns.length;
  const say = (label: string, aspect: Aspect, value: string) =>
    setComments((now) => ({ ...now, [label]: { ...now[label], [aspect]: value } }));
  const answer = { words: text, ...(sketch.length === 0 ? {} : { sketch }), comments };
  const onDraft = led?.onDraft;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is made anew by what it is made of
  useEffect(() => onDraft?.(answer), [onDraft, text, sketch, comments]);
  return (
    <form
      className="stages"
      onSubmit={(event) => {
        event.preventDefault();
        if (isLast || led !== undefined) submit(answer);
        else setStage(stage + 1);
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
            onChange={({ target }) => setText(target.value)}
          />
          <p>{words.sketch}</p>
          <Sketch strokes={sketch} change={setSketch} />
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
      {isLast && (
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
        {stage > 0 && led === undefined && (
          <button type="button" onClick={() => setStage(stage - 1)}>
            {words.stepBack}
          </button>
        )}
        <button type="submit" className="main">
          {isLast || led !== undefined ? words.send : words.next}
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
