import { expect, test } from "vitest";
import { keyOf } from "../../core/keys.js";
import type { AnyRecord } from "../../core/records.js";
import type { Forecast, RunEvent } from "../../core/step.js";
import type { UnscoredReason } from "../../core/unscored.js";
import type { Limits } from "../../runs/budget.js";
import { Journey, type JourneyStep } from "./journey.js";
import { nameEnd, progress } from "./progress.js";

const answer = { status: "done" } as AnyRecord;
const noAnswer = { status: "unscored", reason: "timeout" } as AnyRecord;
const leftOut = { status: "unscored", reason: "not-applicable" } as AnyRecord;
const record = (kind: AnyRecord = answer, cost?: number, byForecast?: number): RunEvent => ({
  kind: "record",
  step: "paint",
  record: { ...kind, key: keyOf(0) },
  ...(cost === undefined ? {} : { cost }),
  ...(byForecast === undefined ? {} : { byForecast }),
});
const planned = (
  total: number,
  reused = 0,
  reusedUnscored: Partial<Record<UnscoredReason, number>> = {},
): RunEvent => ({
  kind: "step-planned",
  step: "paint",
  total,
  reused,
  reusedUnscored,
});
const finished: RunEvent = { kind: "step-finished", step: "paint" };

function watching({
  isTerminal = true,
  columns = 100,
  variables = {},
  limits = {},
  steps,
  titles = new Map(),
}: {
  titles?: ReadonlyMap<string, string>;
  steps?: readonly JourneyStep[];
  limits?: Limits;
  isTerminal?: boolean;
  columns?: number;
  variables?: Record<string, string>;
} = {}) {
  const clock = { milliseconds: 0 };
  const drawn: string[] = [];
  const noted: string[] = [];
  const journey = steps && new Journey(steps, () => clock.milliseconds);
  const tell = progress({
    limits,
    titles,
    output: {
      progress: (line) => drawn.push(line),
      foresee: () => {},
      note: (line) => noted.push(line),
    },
    environment: {
      now: () => new Date(clock.milliseconds),
      stderr: { write: () => {}, isTerminal, columns },
      variables,
    },
    journey,
  });
  return { clock, drawn, noted, tell };
}

test("draws step, bar, count, rate, time left, unscored and cost in one line", () => {
  const { clock, drawn, tell } = watching();
  tell(planned(40, 10, { timeout: 1 }));
  clock.milliseconds = 5_000;
  for (let made = 0; made < 9; made++) tell(record(answer, 0.01));
  clock.milliseconds = 6_000;
  tell(record(noAnswer));
  expect(drawn[0]).toBe("paint  ━━━━━━━───────────────────────  10/40  1 unscored (timeout)");
  expect(drawn.at(-1)).toBe(
    "paint  ━━━━━━━━━━━━━━━───────────────  20/40  1.67/s  12 s left  2 unscored (timeout)  $0.09",
  );
});

test("says of how many calls the cost is a forecast", () => {
  const { noted, tell } = watching({ isTerminal: false });
  tell(planned(2));
  tell(record(answer, 0.01, 3));
  tell(record(answer, 0.01));
  tell(finished);
  expect(noted.at(-1)).toContain("$0.02 (3 by forecast)");
});

test("redraws at most ten times a second", () => {
  const { clock, drawn, tell } = watching();
  tell(planned(1000));
  for (let made = 0; made < 1000; made++) {
    clock.milliseconds += 2;
    tell(record());
  }
  expect(drawn).toHaveLength(21);
});

test("never fills the last column, however narrow the terminal", () => {
  for (const columns of [1, 20, 40, 60, 80, 200]) {
    const { clock, drawn, tell } = watching({ columns });
    tell(planned(1000));
    clock.milliseconds = 1_000;
    tell(record(noAnswer, 3));
    for (const line of drawn) expect(line.length).toBeLessThan(columns);
  }
});

test("leaves one line a step behind", () => {
  const { clock, noted, tell } = watching();
  tell(planned(2));
  clock.milliseconds = 90_000;
  tell(record(answer, 1.5));
  tell(record(noAnswer));
  tell(finished);
  tell(planned(2, 2, { refused: 1 }));
  tell(finished);
  expect(noted).toEqual([
    "paint: 2 in 1 min 30 s (0.0222/s), 1 unscored (timeout), $1.50",
    "paint: all 2 were there already, 1 unscored (refused), $1.50",
  ]);
});

test("what was not asked for at all is left out, not unscored", () => {
  const { noted, tell } = watching({ isTerminal: false });
  tell(planned(9, 5, { "not-applicable": 3, refused: 1 }));
  for (const kind of [answer, leftOut, leftOut, noAnswer]) tell(record(kind));
  tell(finished);
  tell(planned(66, 66, { "not-applicable": 66 }));
  tell(finished);
  expect(noted.at(-2)).toBe("paint: 4 in under 1 s, 5 left out, 2 unscored (1 refused, 1 timeout)");
  expect(noted.at(-1)).toBe("paint: all 66 were there already, 66 left out");
});

test.each([
  ["no terminal", { isTerminal: false }],
  ["NO_COLOR", { variables: { NO_COLOR: "1" } }],
  ["CI", { variables: { CI: "true" } }],
])("with %s tells in plain lines of the start, every tenth and the end", (_case, outside) => {
  const { clock, drawn, noted, tell } = watching(outside);
  tell(planned(30, 10));
  for (let made = 0; made < 20; made++) {
    clock.milliseconds += 500;
    tell(record());
  }
  tell(finished);
  expect(drawn).toEqual([]);
  expect(noted).toEqual([
    "paint: 20 of 30 to do, the others are there already",
    "paint: 40 %, 12/30, 2/s, 9 s left",
    "paint: 50 %, 15/30, 2/s, 8 s left",
    "paint: 60 %, 18/30, 2/s, 6 s left",
    "paint: 70 %, 21/30, 2/s, 5 s left",
    "paint: 80 %, 24/30, 2/s, 3 s left",
    "paint: 90 %, 27/30, 2/s, 2 s left",
    "paint: 20 in 10 s (2/s)",
  ]);
});

test("plain lines of a quick step are at most one a second", () => {
  const { clock, noted, tell } = watching({ isTerminal: false });
  tell(planned(10));
  for (let made = 0; made < 10; made++) {
    clock.milliseconds += 150;
    tell(record());
  }
  tell(finished);
  expect(noted).toEqual([
    "paint: 10 to do",
    "paint: 70 %, 7/10, 6.67/s, under 1 s left",
    "paint: 10 in 2 s (6.67/s)",
  ]);
});

test("a step with nothing to plan is told of once", () => {
  const { noted, tell } = watching({ isTerminal: false });
  tell(planned(0));
  tell(finished);
  expect(noted).toEqual(["paint: nothing to do"]);
});

test("tells of cached answers", () => {
  const { clock, drawn, tell } = watching();
  tell(planned(10));
  clock.milliseconds = 1_000;
  tell({ ...record(), cached: true } as RunEvent);
  clock.milliseconds = 2_000;
  tell(record());
  expect(drawn.at(-1)).toMatch(/ {2}2\/10 {2}1\/s {2}8 s left {2}1 cached$/);
});

test("with a limit says before the start what is needed, on a terminal too", () => {
  const start = (limits: Limits, estimatedCost?: number) => {
    const { noted, tell } = watching({ limits });
    const event = planned(10, 4);
    tell(estimatedCost === undefined ? event : ({ ...event, estimatedCost } as RunEvent));
    return noted;
  };
  const todo = "paint: 6 of 10 to do, the others are there already";
  expect(start({})).toEqual([]);
  expect(start({}, 0.3)).toEqual([`${todo}, about $0.30 by what they cost so far`]);
  expect(start({ calls: 2 })).toEqual([`${todo}, to stop after 2`]);
  expect(start({ cost: 1 })).toEqual([`${todo}, the price of a call is not known yet`]);
  expect(start({ cost: 0.2 }, 0.3)).toEqual([
    `${todo}, about $0.30 by what they cost so far, to stop at $0.20`,
  ]);
});

const foreseen = (forecast: Forecast): RunEvent => Object.assign({}, planned(6), { forecast });

test("calls that were counted before are said with what they cost and may cost", () => {
  const forecast = {
    calls: 6,
    cost: 0.3,
    unpriced: [],
    prices: ["2026-04"],
    dearest: 0.05,
    isExact: true,
    mostCalls: 1,
  };
  const { noted, tell } = watching({ limits: { cost: 2 } });
  tell(foreseen(forecast));
  expect(noted).toEqual([
    "paint: 6 to do, about 6 calls, about $0.30 (prices of 2026-04), at most $2.00",
  ]);
  const unknown = watching();
  const unpriced = ["openai-compatible:tiny"];
  unknown.tell(foreseen({ ...forecast, cost: undefined, unpriced }));
  expect(unknown.noted[0]).toContain(
    "about 6 calls, at a cost that is not known (no price of openai-compatible:tiny)",
  );
  const cached = watching();
  cached.tell(foreseen({ ...forecast, calls: 0 }));
  expect(cached.noted).toEqual([]);
});

test("a step's long name goes before the bar, and is told by its end where it doesn't fit", () => {
  const name = "score-images-clip-score-lab-dual-encoder-skewed";
  const first = (columns: number) => {
    const { drawn, tell } = watching({ columns });
    tell({ ...planned(10), step: name } as RunEvent);
    return drawn[0];
  };
  expect(first(80)).toMatch(/^score-\S+-skewed {2}─+ {2}0\/10$/);
  expect(first(58)).toBe(`${name}  0/10`);
  expect(first(40)).toBe(
    "…-clip-score-lab-dual-encoder-skewed  0/10".slice(-39).replace(/^./, "…"),
  );
});

test("a step is told by its title, and one with nothing to do draws no bar", () => {
  const titles = new Map([["paint", "Painting pictures"]]);
  const { drawn, noted, tell } = watching({ titles });
  tell(planned(0));
  expect(drawn).toEqual([]);
  tell(finished);
  expect(noted).toEqual(["Painting pictures: nothing to do"]);
});

const onJourney = [
  { id: "paint", title: "Painting pictures", cost: 10 },
  { id: "score", title: "Scoring", cost: 30 },
];

test("on a journey says which step of how many, and how long all of it will take", () => {
  const { clock, drawn, tell } = watching({ steps: onJourney });
  tell(planned(10));
  clock.milliseconds = 5_000;
  for (let made = 0; made < 5; made++) tell(record());
  clock.milliseconds = 6_000;
  tell(record());
  // 6 of 40 took 6 s.
  expect(drawn.at(-1)).toMatch(
    /^step 1 of 2 {2}Painting pictures {2}[━─]+ {2}6\/10 {2}1\/s {2}34 s left$/,
  );
});

test("on a journey without a terminal each step leaves one line", () => {
  const { clock, noted, tell } = watching({ steps: onJourney, isTerminal: false });
  tell(planned(10));
  for (let made = 0; made < 10; made++) {
    clock.milliseconds += 1_000;
    tell(record());
  }
  tell(finished);
  expect(noted).toEqual(["step 1 of 2: Painting pictures: 10 in 10 s (1/s); 30 s left in all"]);
});

test("a name that fits is whole, of a longer one the end is shown", () => {
  expect(nameEnd("paint-images", 12)).toBe("paint-images");
  expect(nameEnd("Painting people (lab:painter)", 18)).toBe("… (lab:painter)");
  expect(nameEnd("score-images-clip-score", 12)).toBe("…-clip-score");
});
