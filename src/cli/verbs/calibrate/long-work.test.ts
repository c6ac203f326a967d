import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { outputFor } from "../../terminal/output.js";
import { resumable, shownWork } from "./long-work.js";

/** An outside whose clock goes on by a second at each look. */
function outside(isTerminal: boolean) {
  const environment = fakeEnvironment({ isTerminal });
  let seconds = 0;
  const now = () => new Date(1000 * seconds++);
  const output = outputFor({ environment, json: false });
  return {
    written: environment.written,
    interrupt: environment.interrupt,
    output,
    environment: { ...environment, now },
  };
}

function* work(steps: number, onStep: (step: number) => void = () => {}) {
  for (let step = 1; step <= steps; step++) {
    onStep(step);
    yield step / steps;
  }
  return "done";
}

test("a terminal shows the share that is done, elsewhere long work is told of once", async () => {
  const seen = outside(true);
  expect(await shownWork("Fitting", work(4), seen)).toBe("done");
  expect(seen.written.stderr).toContain("Fitting: 25 %, 3 s left");
  expect(seen.written.stderr).toContain("Fitting: 75 %, 1 s left");
  const plain = outside(false);
  await shownWork("Fitting", work(10), plain);
  expect(plain.written.stderr).toBe("Fitting: 30 %, 7 s left\n");
  const short = outside(false);
  await shownWork("Fitting", work(2), short);
  expect(short.written.stderr).toBe("");
});

test("work is interrupted between two steps, and it is said how to go on", async () => {
  const { environment, output, interrupt } = outside(false);
  const done: number[] = [];
  const goOn = {
    signal: environment.signal,
    doing: "it was fitted",
    goOn: "touchstone run resume x",
  };
  const attempt = resumable(
    () =>
      shownWork(
        "Fitting",
        work(5, (step) => {
          done.push(step);
          if (step === 2) interrupt();
        }),
        { environment, output },
      ),
    goOn,
  );
  await expect(attempt).rejects.toThrow(IncompleteError);
  await expect(attempt).rejects.toMatchObject({ hint: "Go on with: touchstone run resume x" });
  expect(done).toEqual([1, 2]);
  // What is wrong all the same is told as it is.
  const wrong = resumable(() => Promise.reject(new InputError("Expected better")), goOn);
  await expect(wrong).rejects.toThrow(InputError);
});
