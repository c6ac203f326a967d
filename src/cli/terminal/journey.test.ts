import { expect, test } from "vitest";
import { Journey } from "./journey.js";

function travelling() {
  const clock = { milliseconds: 0 };
  const steps = [
    { id: "paint", title: "Painting", cost: 10 },
    { id: "score", title: "Scoring", cost: 30 },
    { id: "paint", title: "Painting more", cost: 10 },
  ];
  return { clock, journey: new Journey(steps, () => clock.milliseconds) };
}

test("time left is that of all steps, by their cost and the rate so far", () => {
  const { clock, journey } = travelling();
  journey.begin("paint");
  expect(journey.secondsLeft).toBeUndefined();
  clock.milliseconds = 5_000;
  journey.reach(0.5);
  // 5 of 50 took 5 s.
  expect(journey.secondsLeft).toBe(45);
  journey.reach(1);
  journey.begin("score");
  clock.milliseconds = 20_000;
  journey.reach(1 / 3);
  // 20 of 50 took 20 s.
  expect(journey.secondsLeft).toBeCloseTo(30);
  expect([journey.place, journey.title]).toEqual(["step 2 of 3", "Scoring"]);
});

test("of two steps of a name the later comes after, and a name it does not have is passed over", () => {
  const { journey } = travelling();
  for (const id of ["paint", "score", "rest", "paint"]) journey.begin(id);
  expect([journey.place, journey.title]).toEqual(["step 3 of 3", "Painting more"]);
});

test("what was there already took no time", () => {
  const { clock, journey } = travelling();
  journey.begin("paint", 1);
  journey.begin("score", 0.5);
  clock.milliseconds = 3_000;
  journey.reach(0.6);
  // 3 of 50 took 3 s; 12 of scoring and all of the last are left.
  expect(journey.secondsLeft).toBeCloseTo(22);
});
