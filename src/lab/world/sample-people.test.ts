import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { samplePeopleScene } from "./sample-people.js";

test("a seed gives the scenes that it gave when the documented experiments were drawn", () => {
  const scenes = Array.from({ length: 20 }, (_, seed) =>
    samplePeopleScene(randomFrom("pinned", seed)),
  );
  const hash = createHash("sha256").update(JSON.stringify(scenes)).digest("hex");
  expect(hash.slice(0, 16)).toBe("390ac7ea7eaa09fb");
});
