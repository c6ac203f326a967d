import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type {
  ReviewAnswer,
  ReviewCommand,
  ReviewDetail,
  ReviewItem,
  ReviewOpinions,
} from "../../../../src/studio/reviews/review-api.js";
import { searchOf } from "../../shell/api.js";
import { Command } from "../../shell/command.js";
import { FirstRows } from "../../shell/first-rows.js";
import { Frame } from "../../shell/frame.js";
import { useKeys } from "../../shell/keys.js";
import { NameField } from "../../shell/name-field.js";
import { Failure, Loading } from "../../shell/notices.js";
import { countText, pluralText } from "../../shell/numbers.js";
import { readerName } from "../../shell/reader-name.js";
import { leaveOnEscape } from "../../shell/use-typed.js";
import { asked } from "../asked.js";
import { toRuns } from "../to-runs.js";
import { useUp } from "../use-up.js";
import { choiceText, questionText } from "./review-words.js";
import { type Review, reviewAddress, useReview } from "./use-review.js";

const reviewQuery = (id: string, second: string | undefined) =>
  asked<ReviewDetail>(["review", id, { second }], `${reviewAddress(id)}${searchOf({ second })}`, {
    refetchInterval: 2500,
  });

const opinionsQuery = (id: string) =>
  asked<ReviewOpinions>(["review", id, "opinions"], `${reviewAddress(id)}/opinions`, {
    refetchInterval: 2500,
  });

const commandQuery = (id: string) =>
  asked<ReviewCommand>(["review", id, "command"], `${reviewAddress(id)}/command`, {
    staleTime: 0,
  });

/** A queue of what the judge left to people: one key an answer. */
export function ReviewPage({ id }: { readonly id: string }) {
  const [second, setSecond] = useState<string>();
  const { data, error, refetch, dataUpdatedAt } = useQuery(reviewQuery(id, second));
  return (
    <Frame
      title={`Review of ${data?.name ?? id}`}
      heading={data === undefined ? "Review" : `Review of ${data.name}`}
      crumbs={[toRuns]}
    >
      {error !== null && data === undefined && <Failure error={error} retry={() => refetch()} />}
      {data === undefined && error === null && <Loading what="the queue" />}
      {data !== undefined && (
        <Queue
          key={second}
          detail={data}
          updatedAt={dataUpdatedAt}
          second={second}
          onSecond={setSecond}
        />
      )}
      {data !== undefined && <Opinions detail={data} />}
    </Frame>
  );
}

function Queue({
  detail,
  updatedAt,
  second,
  onSecond,
}: {
  readonly detail: ReviewDetail;
  readonly updatedAt: number;
  /** Who gives second opinions; undefined where first answers are given. */
  readonly second: string | undefined;
  readonly onSecond: (name: string | undefined) => void;
}) {
  const { id, task, choices } = detail;
  const review = useReview(detail, { updatedAt, second });
  const [isNameless, setNameless] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [comment, setComment] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const answer = (choice: ReviewAnswer) => {
    review.answer(choice, comment.trim() === "" ? undefined : comment.trim());
    setComment("");
  };
  const [shown, setShown] = useState<ShownImages>({ key: "", images: [] });
  const [item, ...next] = review.items;
  const { answered, items } = review.counts;
  const isEnd = answered === items && review.news.pending === 0 && item === undefined;
  const answers = choices.map((choice) => {
    const { key, text } = choiceText(task, choice, choices.length);
    return { key, does: text, run: () => answer(choice) };
  });
  const isShown =
    item !== undefined && shown.key === item.key && shown.images.length === item.images;
  useKeys([
    // Of a level of two digits the first would give another. Nobody answers what isn't shown yet.
    ...(isShown && answers.every(({ key }) => key.length === 1) ? answers : []),
    { key: "c", does: "note why", run: () => field.current?.focus() },
    { key: "z", does: "take the last answer back", run: review.undo },
    { key: "s", does: "put this one aside for later", run: review.putAside },
  ]);
  useUp();
  usePreloaded(id, next);
  return (
    <>
      <p className="steps">
        <progress value={answered} max={items} aria-label="Answered" />
        <span className="quiet" role="status">
          {countText(answered)} of {pluralText(items, "item")} answered
          {review.news.pending > 0 && `, ${review.news.pending} being written`}
          {review.news.isAway &&
            ": the studio does not answer; what you said is kept here and sent again"}
        </span>
      </p>
      {review.refused !== undefined && (
        <p className="notice" role="alert">
          {review.refused}
        </p>
      )}
      {review.isShared && item !== undefined && (
        <p className="quiet">Other windows are at what is left; you see the same items.</p>
      )}
      {review.error !== undefined && item === undefined && <Failure error={review.error} />}
      {item === undefined && !isEnd && review.error === undefined && (
        <Loading what="the next item" />
      )}
      {item !== undefined && (
        <Asked
          detail={detail}
          item={item}
          isShown={isShown}
          onShown={(at) => setShown((before) => withImage(before, item.key, at))}
        />
      )}
      {isEnd && second !== undefined && items === 0 && (
        <p>Nothing here was answered by somebody who gave a name other than {second}.</p>
      )}
      {isEnd && items > 0 && <h2>All {pluralText(items, "item")} are answered</h2>}
      <Answers detail={detail} review={review} answer={answer} isOpen={item !== undefined} />
      <div className="steps">
        {item !== undefined && (
          <label className="field">
            Why
            <input
              ref={field}
              value={comment}
              maxLength={2000}
              placeholder="goes with your next answer"
              onChange={({ target }) => setComment(target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter") event.currentTarget.blur();
                leaveOnEscape(event);
              }}
            />
          </label>
        )}
        {second === undefined ? <NameField /> : <span className="quiet">as {second}</span>}
        <button
          type="button"
          className="chip"
          aria-pressed={second !== undefined}
          title="Answer what another reviewer answered, without seeing what they said"
          onClick={() => {
            const name = readerName();
            setNameless(name === undefined);
            onSecond(second === undefined ? name : undefined);
          }}
        >
          Second opinion
        </button>
        {isNameless && (
          <span role="alert">Say your name first: another one must have answered.</span>
        )}
      </div>
      {isEnd ? (
        <FitAnew detail={detail} />
      ) : (
        <details onToggle={(event) => setAsked(event.currentTarget.open)}>
          <summary>Fit the judge anew with what is answered so far</summary>
          {isAsked && <FitAnew detail={detail} />}
        </details>
      )}
    </>
  );
}

const letters = ["A", "B"];

/** Which images of an item are on the screen. */
interface ShownImages {
  readonly key: string;
  readonly images: readonly number[];
}

const withImage = ({ key, images }: ShownImages, item: string, at: number): ShownImages => ({
  key: item,
  images: key === item ? [...images.filter((one) => one !== at), at] : [at],
});

function Asked({
  detail,
  item,
  isShown,
  onShown,
}: {
  readonly detail: ReviewDetail;
  readonly item: ReviewItem;
  readonly isShown: boolean;
  readonly onShown: (at: number) => void;
}) {
  const { id, task } = detail;
  return (
    <section aria-label={questionText[task]} aria-busy={!isShown} className="asked">
      <p className="quiet">{questionText[task]}</p>
      <p className="lead" aria-live="polite">
        {item.text}
      </p>
      <div className={item.images > 1 ? "asked-images two" : "asked-images"}>
        {letters.slice(0, item.images).map((letter, at) => (
          <figure key={`${item.key} ${letter}`}>
            <AskedImage
              address={imageOf(id, item, at)}
              shown={imageOf(id, item, at, 1024)}
              alt={item.images > 1 ? letter : "To judge"}
              onShown={() => onShown(at)}
            />
            {item.images > 1 && <figcaption>{letter}</figcaption>}
          </figure>
        ))}
      </div>
    </section>
  );
}

/** One that the studio, away for a moment, did not send is asked for again, ever more rarely. */
function AskedImage({
  address,
  shown,
  alt,
  onShown,
}: {
  readonly address: string;
  readonly shown: string;
  readonly alt: string;
  readonly onShown: () => void;
}) {
  const [tries, setTries] = useState(0);
  const [isHere, setHere] = useState(false);
  return (
    <>
      <a href={address} target="_blank" rel="noreferrer">
        <img
          key={tries}
          src={shown}
          alt={alt}
          onLoad={() => {
            setHere(true);
            onShown();
          }}
          onError={() => setTimeout(() => setTries(tries + 1), 1000 * 2 ** Math.min(tries, 5))}
        />
      </a>
      {tries > 2 && !isHere && <p role="alert">The studio does not send this image.</p>}
    </>
  );
}

function Answers({
  detail,
  review,
  answer,
  isOpen,
}: {
  readonly detail: ReviewDetail;
  readonly review: Review;
  readonly answer: (choice: ReviewAnswer) => void;
  readonly isOpen: boolean;
}) {
  const { task, choices } = detail;
  return (
    <p className="answers">
      {isOpen &&
        choices.map((choice) => {
          const { key, text } = choiceText(task, choice, choices.length);
          return (
            <button key={choice} type="button" onClick={() => answer(choice)}>
              {text} {task !== "rating" && <kbd>{key}</kbd>}
            </button>
          );
        })}
      <span className="aside">
        <button type="button" onClick={review.undo} disabled={!review.canUndo}>
          Undo <kbd>z</kbd>
        </button>
        {isOpen && (
          <button type="button" onClick={review.putAside} disabled={review.items.length < 2}>
            Aside <kbd>s</kbd>
          </button>
        )}
      </span>
    </p>
  );
}

/** What two reviewers each said of an item, neither of whom saw the other's answer. */
function Opinions({ detail: { id, name, task, choices } }: { readonly detail: ReviewDetail }) {
  const { data } = useQuery(opinionsQuery(id));
  const [isOnly, setOnly] = useState(false);
  if (data === undefined || data.items.length === 0) return null;
  const { items, equal } = data;
  const rows = items.filter(({ isDifferent }) => isDifferent || !isOnly);
  return (
    <section aria-label="Second opinions">
      <h2>Second opinions</h2>
      <p className="steps">
        <span role="status">
          Two reviewers agree on {countText(equal)} of {pluralText(items.length, "item")} (
          {Math.round((100 * equal) / items.length)} %)
        </span>
        <button
          type="button"
          className="chip"
          aria-pressed={isOnly}
          onClick={() => setOnly(!isOnly)}
        >
          Only where two reviewers differ
        </button>
        <a className="button" href={`${reviewAddress(id)}/answers.csv`} download={`${name}.csv`}>
          All answers as CSV
        </a>
      </p>
      <FirstRows
        table={{
          name: `what two reviewers said in ${name}`,
          columns: ["item", "first", "second", "differ"],
          rows: rows.map(({ text, opinions, isDifferent }) => [
            text,
            ...opinions.map(({ answer, by, comment }) => {
              const said = `${choiceText(task, answer, choices.length).text} (${by ?? "no name"})`;
              return comment === undefined ? said : `${said}: ${comment}`;
            }),
            isDifferent ? "≠ two reviewers differ" : "",
          ]),
        }}
      />
    </section>
  );
}

/** Shows the command that refits the judge. */
function FitAnew({ detail: { id, name } }: { readonly detail: ReviewDetail }) {
  const { data, error } = useQuery(commandQuery(id));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading what="the judge" />;
  if (data.command === null) {
    return (
      <p>
        The judge of this queue was not found. Give the command that made it again with{" "}
        <code>--add {name}</code>.
      </p>
    );
  }
  return (
    <>
      <p>This command fits the judge anew with what people said:</p>
      <Command text={data.command} />
    </>
  );
}

const imageOf = (id: string, { key }: ReviewItem, at: number, width?: number) =>
  `${reviewAddress(id)}/items/${key}/images/${at}${searchOf({ width })}`;

/** The next images are fetched while this one is looked at. */
function usePreloaded(id: string, items: readonly ReviewItem[]): void {
  const addresses = items
    .slice(0, 2)
    .flatMap((item) => Array.from({ length: item.images }, (_, at) => imageOf(id, item, at, 1024)))
    .join("\n");
  useEffect(() => {
    for (const address of addresses.split("\n")) if (address !== "") new Image().src = address;
  }, [addresses]);
}
