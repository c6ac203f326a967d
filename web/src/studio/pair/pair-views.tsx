import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Item, Pair } from "../../../../src/studio/api.js";
import { useKeys } from "../../shell/keys.js";
import { imageAddress } from "../queries.js";

interface ViewOptions {
  readonly run: string;
  readonly pair: Pair;
}

const titles = {
  contrastive: ["Right", "Wrong"],
  preference: ["A", "B"],
} as const;

/** Both images beside each other. */
export function SideView({ run, pair }: ViewOptions) {
  return (
    <div className="pair side-by-side">
      {[pair.first, pair.second].map((item, at) => (
        <figure key={item.key}>
          <Picture run={run} item={item} />
          <Caption run={run} item={item} title={titles[pair.kind][at] ?? ""} />
        </figure>
      ))}
    </div>
  );
}

/** The second over the first, as far as a slider says. */
export function SwipeView({ run, pair }: ViewOptions) {
  const [share, setShare] = useState(50);
  return (
    <figure className="pair stacked">
      <div className="stack">
        <Picture run={run} item={pair.first} />
        <div className="over" style={{ clipPath: `inset(0 0 0 ${share}%)` }}>
          <Picture run={run} item={pair.second} />
        </div>
        <div className="edge" style={{ left: `${share}%` }} />
      </div>
      <label>
        {titles[pair.kind][0]} to the left, {titles[pair.kind][1]} to the right
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          onChange={(event) => setShare(Number(event.target.value))}
        />
      </label>
      <Captions run={run} pair={pair} />
    </figure>
  );
}

const blinkEvery = 600;

/** One after the other at one place: by Space, or by itself once it was started. */
export function BlinkView({ run, pair }: ViewOptions) {
  const [isSecond, setSecond] = useState(false);
  const [isRunning, setRunning] = useState(false);
  useKeys([{ key: " ", does: "the other image", run: () => setSecond((now) => !now) }]);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setSecond((now) => !now), blinkEvery);
    return () => clearInterval(timer);
  }, [isRunning]);
  return (
    <figure className="pair stacked">
      <div className="stack">
        <Picture run={run} item={pair.first} />
        <div className="over" style={{ visibility: isSecond ? "visible" : "hidden" }}>
          <Picture run={run} item={pair.second} />
        </div>
      </div>
      <p className="steps">
        <button type="button" onClick={() => setSecond(!isSecond)}>
          Show {titles[pair.kind][isSecond ? 0 : 1].toLowerCase()}
        </button>
        <button type="button" aria-pressed={isRunning} onClick={() => setRunning(!isRunning)}>
          By itself
        </button>
        <b>{titles[pair.kind][isSecond ? 1 : 0]}</b>
      </p>
      <Captions run={run} pair={pair} />
    </figure>
  );
}

function Picture({ run, item }: { readonly run: string; readonly item: Item }) {
  if (item.image === null) return <p className="gone">No image: {item.reason}</p>;
  return (
    <img
      src={imageAddress(run, item.image)}
      alt={`Painted from: ${item.text}`}
      width={item.width ?? undefined}
      height={item.height ?? undefined}
    />
  );
}

const Captions = ({ run, pair }: ViewOptions) => (
  <figcaption>
    {[pair.first, pair.second].map((item, at) => (
      <Caption key={item.key} run={run} item={item} title={titles[pair.kind][at] ?? ""} />
    ))}
  </figcaption>
);

const Caption = ({
  run,
  item,
  title,
}: {
  readonly run: string;
  readonly item: Item;
  readonly title: string;
}) => (
  <p>
    <b>{title}:</b>{" "}
    <Link to="/runs/$run/items/$image" params={{ run, image: item.key }}>
      {item.text}
    </Link>{" "}
    <small>{item.generator}</small>
  </p>
);
