// Conclusions over rows in memory: each gives what the verb prints with --json.

import {
  agreement,
  attributes,
  calibration,
  compare,
  contrastive,
  correlation,
  ensemble,
  judgeCheck,
  preferences,
  raters,
  significance,
  stereotypes,
  swap,
  trustCard,
} from "touchstone-t2i/analysis";

const { metrics } = contrastive([
  { id: "1", metric: "clip-score", domain: "animals", correct: 0.71, adversarial: 0.64 },
  { id: "2", metric: "clip-score", domain: "animals", correct: 0.58, adversarial: 0.66 },
]);
console.log(metrics["clip-score"]?.overall.failureRate.value); // 0.5
swap([{ id: "1", metric: "clip-score", original: 0.7, swapped: 0.8 }]);

const rows = ["1", "2", "3"].map((id, at) => ({ id, prompt: id, human: at, scores: [at * at] }));
console.log(correlation({ human: "rating", metrics: ["clip-score"], rows }).n); // 3
compare([
  { prompt: "a dog", model: "A", score: 0.7 },
  { prompt: "a dog", model: "B", score: 0.6 },
]);
preferences([{ a: "A", b: "B", preferred: "a", prompt: "a dog" }]);
judgeCheck([{ id: "1", vote: "a", human: "b", swapped: "b" }]).accuracy.value; // 0
agreement(
  [
    { item: "1", annotator: "x", value: "yes" },
    { item: "1", annotator: "y", value: "no" },
  ],
  { scale: "nominal" },
);
const votes = ["x", "y", "z"].map((annotator) => ({ item: "1", annotator, value: "yes" }));
console.log(raters([...votes, { item: "2", annotator: "x", value: "no" }]).answers["1"]?.value); // yes

const answers = [
  { id: "1", method: "judge", label: 1, probability: 0.9 },
  { id: "1", method: "coin", label: 1, probability: 0.5 },
] as const;
calibration(answers);
significance(answers, { metrics: ["nll"] });
const split = { label: 1, embedding: null, membership: null } as const;
ensemble([
  { ...split, id: "1", split: "validation", probabilities: [0.9, 0.4] },
  { ...split, id: "2", split: "test", probabilities: [0.8, 0.6] },
]);
attributes([
  { image: "1.png", kind: "reflection", entity: "dog", attribute: "red", probability: 0.9 },
  { image: "1.png", kind: "leakage", entity: "ball", attribute: "red", probability: 0.2 },
]);
const asked = { query: "a nurse", category: "work", model: "A", imageSet: "1", item: "gender" };
stereotypes([
  { ...asked, phase: "initial", present: 1 },
  { ...asked, phase: "refined", present: 0 },
]);
trustCard([{ id: "1", score: 0.7, human: 4 }], {
  name: "clip-score",
  direction: "higher",
  source: "table",
});
