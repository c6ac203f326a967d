import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { protocolOf } from "../protocols/protocols.js";
import type { Study, StudyBlock } from "../study.js";
import type { KeptAnswer } from "../tables/counted-answers.js";
import type { PeopleMetric, PersonAnswer } from "./people-step.js";

/** A block whose answers score the images of a run. */
export interface RatedBlock {
  readonly block: StudyBlock;
  readonly metric: PeopleMetric;
}

/**
 * The block of a study whose answers score images one by one.
 *
 * @param wanted its name, where several do
 * @throws InputError where there is none, or several and none is named.
 */
export function ratedBlock(study: Study, wanted: string | undefined): RatedBlock {
  const rated = study.blocks.flatMap((block): RatedBlock[] => {
    const metric = protocolOf(block.settings.protocol).asMetric;
    return metric === undefined ? [] : [{ block, metric }];
  });
  const found = rated.filter(({ block }) => wanted === undefined || block.name === wanted);
  const [only, another] = found;
  if (only !== undefined && another === undefined) return only;
  const names = rated.map(({ block }) => block.name);
  if (names.length === 0) {
    throw new InputError(
      "Expected a study with a block of rating, likert or localized but it has none",
      { hint: "Comparisons become a table: touchstone study export DIR --table preferences" },
    );
  }
  throw new InputError(
    wanted === undefined
      ? `Expected one block whose answers score images but ${listText(names)} do`
      : `Expected ${names.join(" or ")} for --block but received "${wanted}"`,
    { hint: `Add --block ${names[0]}` },
  );
}

/** The answers of a block that count, by the image record that each is about. */
export function answersByImage(
  answers: readonly KeptAnswer[],
  { settings: { protocol }, name }: StudyBlock,
): ReadonlyMap<string, readonly PersonAnswer[]> {
  const found = new Map<string, PersonAnswer[]>();
  for (const { block, kind, item, participant, answer } of answers) {
    const { of } = item.beside;
    if (block !== name || kind !== "item" || answer === null || typeof of !== "string") continue;
    const value = protocolOf(protocol).value(answer);
    if (value === null) continue;
    const own = found.get(of) ?? [];
    own.push({ annotator: participant, item: item.id, value });
    found.set(of, own);
  }
  return found;
}
