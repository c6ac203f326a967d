import type { DescribedExtra, Description, Extra, Scene } from "./scene.js";
import { subjects } from "./vocabulary.js";

/** Whether everything that `description` says holds in `scene`. */
export function holds(description: Description, scene: Scene): boolean {
  return (
    subjectHolds(description.subject, scene) &&
    (description.place === undefined || description.place === scene.place) &&
    description.extras.every((said) => scene.extras.some((extra) => extraHolds(said, extra)))
  );
}

function subjectHolds(said: Description["subject"], scene: Scene): boolean {
  return "kind" in said
    ? said.kind === scene.subject
    : said.hypernym === subjects.get(scene.subject)?.hypernym;
}

function extraHolds(said: DescribedExtra, extra: Extra): boolean {
  return (["kind", "count", "colour", "side", "depth", "size"] as const).every(
    (member) => said[member] === undefined || said[member] === extra[member],
  );
}
