import { expect, test } from "vitest";
import { withoutRevision } from "../../core/models.js";
import { spokenName } from "./metric-name.js";

const named = (id: string, metric: string, model: string) => ({ id, metric, model });

test("a sentence says of a metric no more than it takes to tell it from the others", () => {
  const metrics = [
    named("a", "clip-score", "lab:skewed@1f2e"),
    named("b", "clip-score", "lab:balanced@3d4c"),
    named("c", "vqa-score", "lab:vqa@5b6a"),
  ];
  expect(metrics.map(({ id }) => spokenName({ metrics }, id))).toEqual([
    "clip-score with lab:skewed",
    "clip-score with lab:balanced",
    "vqa-score",
  ]);
});

test("revisions and conventions are told apart where nothing else differs", () => {
  const revisions = [named("a", "m", "lab:x@1"), named("b", "m", "lab:x@2")];
  expect(spokenName({ metrics: revisions }, "a")).toBe("m with lab:x@1");
  const conventions = [named("m · lab:x · p", "m", "lab:x"), named("m · lab:x · q", "m", "lab:x")];
  expect(spokenName({ metrics: conventions }, "m · lab:x · q")).toBe("m · lab:x · q");
  expect(spokenName({ metrics: [] }, "unknown")).toBe("unknown");
});

test("of several models together none shows its revision", () => {
  expect(withoutRevision("lab:a@1 + p:owner/b@2f / rules:x@c3")).toBe(
    "lab:a + p:owner/b / rules:x",
  );
  expect(withoutRevision("p:a@b@c")).toBe("p:a@b");
});

test("one model name on two servers is told apart by the address", () => {
  const metrics = [
    { ...named("a", "m", "p:x@1"), baseUrl: "http://a/v1" },
    { ...named("b", "m", "p:x@1"), baseUrl: "http://b/v1" },
  ];
  expect(spokenName({ metrics }, "b")).toBe("m with p:x at http://b/v1");
});
