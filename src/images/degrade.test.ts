import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pixels } from "../core/models.js";
import { degradationLevels, degradations, degrade } from "./degrade.js";

const picture = fc
  .record({ width: fc.integer({ min: 2, max: 24 }), height: fc.integer({ min: 2, max: 24 }) })
  .chain(({ width, height }) =>
    fc
      .uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 })
      .map((data): Pixels => ({ width, height, data })),
  );

function meanSquaredError(one: Pixels, other: Pixels): number {
  const sum = one.data.reduce(
    (total, value, at) => total + (value - (other.data[at] ?? 0)) ** 2,
    0,
  );
  return sum / one.data.length;
}

test.each(degradations)(
  "%s: level 0 is the picture itself, and more is never less",
  (degradation) => {
    // Blurred levels are rounded: by up to half a level each way.
    const slack = degradation === "motion-blur" ? 2 : 0;
    fc.assert(
      fc.property(picture, fc.nat(), (pixels, seed) => {
        const before = pixels.data.slice();
        const errors = degradationLevels.map((level) =>
          meanSquaredError(degrade(pixels, { degradation, level, seed }), pixels),
        );
        expect(errors[0]).toBe(0);
        errors.slice(1).forEach((error, at) => {
          expect(error).toBeGreaterThanOrEqual((errors[at] ?? 0) - slack);
        });
        expect(pixels.data).toEqual(before);
      }),
      { numRuns: 60 },
    );
  },
);

test("a seed gives the same picture again, another seed another one where chance decides", () => {
  const pixels = ramp(32);
  for (const degradation of degradations) {
    const with_ = (seed: string) => degrade(pixels, { degradation, level: 3, seed }).data;
    expect(with_("a")).toEqual(with_("a"));
    const seeds = ["a", "b", "c", "d", "e", "f", "g", "h"].map((seed) => with_(seed).join());
    const isChance = !["contrast", "brightness"].includes(degradation);
    expect(new Set(seeds).size > 1).toBe(isChance);
  }
});

test("does what it says, in numbers", () => {
  const pixels = ramp(20);
  const at = (degradation: (typeof degradations)[number], level: 1 | 2 | 3 | 4) =>
    degrade(pixels, { degradation, level, seed: 0 }).data;
  // Columns of 0, 12, …, 228 with the mean 114: of the distance of 114 a tenth stays.
  expect(at("contrast", 4)[0]).toBe(Math.round(114 - 11.4));
  expect(at("brightness", 1)[0]).toBe(30);
  expect(at("brightness", 4)[19 * 3]).toBe(255);
  // Half of the area is a square of 14 of 20; grey is in no column of the picture.
  expect(at("occlusion", 4).filter((value) => value === 128)).toHaveLength(14 * 14 * 3);
  // Blurred up and down, columns stay as they are; sideways the borders draw in.
  const sideways = ["a", "b", "c", "d", "e"].map((seed) =>
    degrade(pixels, { degradation: "motion-blur", level: 4, seed }).data.join(),
  );
  expect(new Set(sideways)).toEqual(
    new Set([pixels.data.join(), sideways.find((each) => each !== pixels.data.join())]),
  );
});

/** Columns that go up by 12. */
function ramp(side: number): Pixels {
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) =>
    Math.min(255, 12 * (Math.floor(at / 3) % side)),
  );
  return { width: side, height: side, data };
}
