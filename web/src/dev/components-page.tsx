import { ApiError } from "../shell/api.js";
import { Command } from "../shell/command.js";
import { Frame } from "../shell/frame.js";
import { Empty, Failure } from "../shell/notices.js";
import { TextTableView } from "../shell/view-table.js";
import { RunStateMark } from "../studio/run/run-state.js";

const colours = [
  ...["ink", "muted", "paper", "raised", "line", "accent", "right", "wrong", "undecided"],
  ...["notice", "mat", "vermilion", "blue", "green"],
];
const spaces = [1, 2, 3, 4, 5] as const;
const sizes = ["small", "section", "title", "verdict"] as const;

/** Components of the pages that stay, each once, to look at and to take pictures of. */
export const ComponentsPage = () => (
  <Frame wide title="Components" crumbs={["For developers"]}>
    <h2>Type</h2>
    {sizes.map((size) => (
      <p key={size} style={{ fontSize: `var(--text-${size})` }}>
        {size}: 66.1 % [57.0, 74.2] of 59 pairs
      </p>
    ))}
    <p>
      Text. <b>Strong.</b> <span className="quiet">Quiet.</span> <code>code</code> <kbd>k</kbd>{" "}
      <a href="#content">A link to the content</a>
    </p>
    <p className="lead">A verdict is one sentence of at most 25 words.</p>
    <h2>Space</h2>
    {spaces.map((space) => (
      <div
        key={space}
        style={{
          width: `var(--space-${space})`,
          height: 8,
          background: "var(--accent)",
          margin: 4,
        }}
      />
    ))}
    <h2>Colours</h2>
    <ul className="choices">
      {colours.map((name) => (
        <li key={name}>
          <div
            style={{
              width: 64,
              height: 32,
              background: `var(--${name})`,
              border: "1px solid var(--line)",
            }}
          />
          <small>{name}</small>
        </li>
      ))}
    </ul>
    <h2>State, always with a sign</h2>
    <p className="steps">
      <span className="good">✓ right</span>
      <span className="bad">✕ wrong</span>
      <span className="open">? undecided</span>
      {(["live", "finished", "unfinished", "broken"] as const).map((state) => (
        <RunStateMark key={state} state={state} />
      ))}
      <span className="chip">vqa-score 0.91</span>
    </p>
    <h2>Controls</h2>
    <p className="steps">
      <button type="button" className="primary">
        Primary
      </button>
      <button type="button">Button</button>
      <button type="button" aria-pressed="true">
        Pressed
      </button>
      <button type="button" disabled>
        Disabled
      </button>
      <button type="button" className="small">
        Small
      </button>
      <a className="button" href="#content">
        A link as a button
      </a>
      <button type="button" className="chip" aria-pressed="false">
        Chip
      </button>
    </p>
    <form className="filters">
      <label>
        Text
        <input type="search" placeholder="words in the prompt" />
      </label>
      <label>
        Choice
        <select>
          <option>all</option>
        </select>
      </label>
      <label>
        From
        <input className="bound" inputMode="decimal" placeholder="0.5" />
      </label>
    </form>
    <h2>Table</h2>
    <TextTableView
      table={{
        title: "Failure rates",
        columns: [
          { title: "metric", align: "left" },
          { title: "failure rate, %", align: "right" },
          { title: "n", align: "right" },
        ],
        rows: [
          ["clip-score", "55.8 [49.4, 62.2]", "226"],
          ["vqa-score", "0.0 [0.0, 1.6]", "226"],
        ],
        note: "n triplets.",
      }}
    />
    <h2>Command, notices, empty states</h2>
    <Command text="touchstone studio runs --port 8123" />
    <Failure
      error={
        new ApiError(404, {
          code: "no-run",
          message: "There is no such run",
          hint: "The first page lists them.",
        })
      }
    />
    <Empty title="No run yet">
      <p>This command makes one, offline, in a few minutes:</p>
    </Empty>
    <progress value={3} max={10} aria-label="Answered" />
  </Frame>
);
