import { garmentsHold, personHolds } from "./people-truth.js";
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
  if ("kind" in said) return said.kind === scene.subject;
  if ("hypernym" in said) return said.hypernym === subjects.get(scene.subject)?.hypernym;
  if ("person" in said) return personHolds(said.person, scene);
  return garmentsHold(said.garments, said.onDisplay, scene);
}

function extraHolds(said: DescribedExtra, extra: Extra): boolean {
  return (["kind", "count", "colour", "side", "depth", "size"] as const).every(
    (member) => said[member] === undefined || said[member] === extra[member],
  );
}
