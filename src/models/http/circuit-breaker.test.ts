import { expect, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import { CircuitBreaker } from "./circuit-breaker.js";

async function broken() {
  const clock = handClock();
  const breaker = new CircuitBreaker("http://a/v1", clock);
  const early = await breaker.pass({});
  for (let failure = 0; failure < 10; failure++) (await breaker.pass({})).failed("HTTP 500");
  const passed: Awaited<ReturnType<CircuitBreaker["pass"]>>[] = [];
  const waiting = Array.from({ length: 3 }, () =>
    breaker.pass({}).then((passage) => passed.push(passage)),
  );
  return { clock, breaker, passed, waiting, early };
}

test("nine failures in a row stop nothing, and a success between them counts anew", async () => {
  const breaker = new CircuitBreaker("http://a/v1", handClock());
  for (let failure = 0; failure < 9; failure++) (await breaker.pass({})).failed("");
  (await breaker.pass({})).succeeded();
  for (let failure = 0; failure < 9; failure++) (await breaker.pass({})).failed("");
  await breaker.pass({});
});

test("of one item any number of failures stop nothing", async () => {
  const breaker = new CircuitBreaker("http://a/v1", handClock());
  for (let failure = 0; failure < 30; failure++) (await breaker.pass("one")).failed("");
  expect((await breaker.pass("another")).isTry).toBe(false);
});

test("items that failed while another was answered again open it no more", async () => {
  const clock = handClock();
  const breaker = new CircuitBreaker("http://a/v1", clock);
  for (let item = 0; item < 10; item++) (await breaker.pass(item)).failed("");
  await clock.advance(5000);
  const passage = await breaker.pass("known");
  expect(passage.isTry).toBe(true);
  passage.answeredAgain();
  for (let item = 0; item < 10; item++) (await breaker.pass(item)).failed("");
  expect((await breaker.pass("another")).isTry).toBe(false);
});

test("after ten none goes out until the pause is over; then one tries, and all follow", async () => {
  const { clock, passed, waiting } = await broken();
  await clock.advance(4999);
  expect(passed).toHaveLength(0);
  await clock.advance(1);
  expect(passed).toHaveLength(1);
  passed[0]?.succeeded();
  await Promise.all(waiting);
  expect(passed).toHaveLength(3);
});

test("failed tries make the pauses longer; after the fifth the provider is given up", async () => {
  const { clock, breaker, passed, waiting } = await broken();
  const outcomes = Promise.allSettled(waiting);
  // Three calls wait; two more come, so that there is one for each try.
  waiting.push(breaker.pass({}).then((passage) => passed.push(passage)));
  waiting.push(breaker.pass({}).then((passage) => passed.push(passage)));
  const last = breaker.pass({});
  const outcome = expect(last).rejects.toMatchObject({
    code: "incomplete",
    message: expect.stringContaining("http://a/v1 is down"),
  });
  for (const [index, pause] of [5000, 10_000, 20_000, 40_000, 60_000].entries()) {
    await clock.advance(pause - 1);
    expect(passed).toHaveLength(index);
    await clock.advance(1);
    expect(passed).toHaveLength(index + 1);
    passed[index]?.failed("HTTP 503");
  }
  await outcome;
  await outcomes;
  await expect(breaker.pass({})).rejects.toThrow("Last: HTTP 503");
});

test("a try that its caller gives up is made by another", async () => {
  const { clock, passed } = await broken();
  await clock.advance(5000);
  passed[0]?.abandoned();
  await clock.advance(0);
  expect(passed).toHaveLength(2);
});

test("calls that went out before the pause end nothing by failing, and all by succeeding", async () => {
  const { clock, passed, early, waiting } = await broken();
  early.failed("HTTP 500");
  await clock.advance(5000);
  expect(passed).toHaveLength(1);
  early.succeeded();
  await Promise.all(waiting);
});

test("waiting ends when told to", async () => {
  const { breaker } = await broken();
  const interruption = new AbortController();
  const passage = breaker.pass({}, interruption.signal);
  interruption.abort();
  await expect(passage).rejects.toMatchObject({ name: "AbortError" });
});

test("what is waited for is told, and that it is over", async () => {
  const clock = handClock();
  const told: string[] = [];
  const breaker = new CircuitBreaker("http://a/v1", clock, (text) => told.push(text));
  for (let failure = 0; failure < 10; failure++) (await breaker.pass({})).failed("HTTP 500");
  const down = (seconds: number) =>
    expect.stringMatching(
      new RegExp(
        "^http://a/v1 seems to be down: HTTP 500\\. All calls to it wait; " +
          `tried again in ${seconds} s, at \\d\\d:\\d\\d:\\d\\d\\.$`,
      ),
    );
  expect(told).toEqual([down(5)]);
  await clock.advance(5000);
  (await breaker.pass({})).failed("HTTP 500");
  await clock.advance(10_000);
  (await breaker.pass({})).succeeded();
  expect(told.slice(1)).toEqual([down(10), "http://a/v1 answers again."]);
});
