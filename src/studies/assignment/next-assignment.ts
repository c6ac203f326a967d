import { randomFrom } from "../../core/random.js";
import type { Study, StudyBlock, StudyItem } from "../study.js";
import {
  type Assignment,
  blockOrder,
  type DoneAssignment,
  isLeased,
  itemsEach,
  type OpenAssignment,
  type Participation,
  type PersonalOrder,
  personalOrder,
  type Tally,
} from "./answer-tally.js";
import { keepsCapacity, type OtherPeople } from "./keeps-capacity.js";

/** All that the plan depends on. */
export interface AssignmentState {
  readonly study: Study;
  readonly tally: Tally;
  /** Assignments open at other people's; of those who left, there are none. */
  readonly openElsewhere: Iterable<OpenAssignment>;
  /** Milliseconds; decides which leases have run out. */
  readonly now: number;
  /** Who else can still answer; not given where as many may come as like. */
  readonly others?: (() => OtherPeople) | undefined;
  /** Remembers what `personalOrder` draws; drawn anew each time where not given. */
  readonly orderOf?: (block: StudyBlock, ordinal: number) => PersonalOrder;
}

/**
 * Plans what a person is to answer next; undefined where nothing is left for them. A pure function: the
 * same study, joins and answers give the same plan.
 *
 * - Each block begins with its practice items.
 * - Nobody answers an item twice, but for repeats; nobody answers more than `itemsPerParticipant`.
 * - An item gets at most `ratingsPerItem` answers, open assignments included while their lease runs.
 * - Of the items that the person has not seen, those with the fewest answers come first, so no item
 *   is two ahead of another that the person could have been given.
 * - Where the number of participants is bounded, an item comes first only if no answer is lost by it
 *   that the others can no longer give: where capacity is exact, every item gets its answers.
 * - The sides of a pair are as they stand in as many answers as exchanged, within one, for every item;
 *   of the items that come first, one is taken that balances the person's own sides, too.
 */
export function nextAssignment(
  person: Participation,
  state: AssignmentState,
): Assignment | undefined {
  const { study, tally, openElsewhere: open, now } = state;
  const countOf = tally.withLeases(study, { open, now });
  for (const block of blockOrder(study, person.ordinal)) {
    const done = person.done.filter((assignment) => assignment.block === block.name);
    const order =
      state.orderOf?.(block, person.ordinal) ??
      personalOrder(study, { block, ordinal: person.ordinal });
    const next =
      nextPractice(block, done) ??
      nextGold(block, { done, order }) ??
      nextItem(study, {
        block,
        done,
        order,
        countOf: (item) => countOf(block.name, item.id),
        keeps: state.others && {
          person: { ...person, done },
          others: state.others,
          isLeased: (open) => isLeased(open, { study, now }),
        },
      }) ??
      nextRepeat(study, { block, done, ordinal: person.ordinal });
    if (next !== undefined) return next;
  }
  return undefined;
}

const ofKind = (done: readonly DoneAssignment[], kind: Assignment["kind"]) =>
  done.filter((assignment) => assignment.kind === kind);

/** Practice items come first, as their table has them, once each. */
function nextPractice(
  { name, practice = [] }: StudyBlock,
  done: readonly DoneAssignment[],
): Assignment | undefined {
  const item = practice[ofKind(done, "practice").length];
  return item && { block: name, item: item.id, kind: "practice", swapped: false };
}

/** Gold items stand at drawn places of the sequence and end with it; whoever presses one side gets half right. */
function nextGold(
  block: StudyBlock,
  { done, order }: { readonly done: readonly DoneAssignment[]; readonly order: PersonalOrder },
): Assignment | undefined {
  const seen = ofKind(done, "gold").length;
  const place = seen + ofKind(done, "item").length;
  const item = order.gold[seen];
  if (item === undefined || !order.goldPlaces.has(place)) return undefined;
  const swapped = (seen % 2 === 1) !== order.goldBeginsExchanged;
  return { block: block.name, item: item.id, kind: "gold", swapped };
}

function nextItem(
  { settings: { seed } }: Study,
  {
    block,
    done,
    order,
    countOf,
    keeps,
  }: {
    readonly block: StudyBlock;
    readonly done: readonly DoneAssignment[];
    readonly order: PersonalOrder;
    readonly countOf: (item: StudyItem) => { readonly answers: number; readonly sides: number };
    readonly keeps:
      | {
          readonly person: Participation;
          readonly others: () => OtherPeople;
          readonly isLeased: (open: OpenAssignment) => boolean;
        }
      | undefined;
  },
): Assignment | undefined {
  const own = ofKind(done, "item");
  if (own.length >= itemsEach(block)) return undefined;
  const seen = new Set(own.map(({ item }) => item));
  const ownSides = own.reduce((sum, { swapped }) => sum + (swapped ? -1 : 1), 0);
  const candidates: Candidate[] = [];
  for (const item of order.items) {
    if (seen.has(item.id)) continue;
    const { answers, sides } = countOf(item);
    if (answers >= block.settings.ratingsPerItem) continue;
    // A person and an item that both lean to a side must lean to the same one to be balanced at once.
    candidates.push({ item, answers, sides, fits: sides * ownSides >= 0 });
  }
  if (candidates.length === 0) return undefined;
  const mayHave =
    keeps &&
    keepsCapacity(block, {
      ...keeps,
      others: keeps.others(),
      answersTo: (item) => countOf(item).answers,
    });
  const best = firstOf(candidates, mayHave && (({ item }) => mayHave(item)));
  if (best === undefined) return undefined;
  const lean = best.sides === 0 ? ownSides : best.sides;
  const swapped = lean === 0 ? beginsExchanged(seed, { block, item: best.item }) : lean > 0;
  return { block: block.name, item: best.item.id, kind: "item", swapped };
}

interface Candidate {
  readonly item: StudyItem;
  readonly answers: number;
  readonly sides: number;
  readonly fits: boolean;
}

/** The one with the fewest answers, of these one that fits, of these the first; that may be had. */
function firstOf(
  candidates: readonly Candidate[],
  mayBe: ((candidate: Candidate) => boolean) | undefined,
): Candidate | undefined {
  const isBefore = (one: Candidate, other: Candidate) =>
    one.answers < other.answers || (one.answers === other.answers && one.fits && !other.fits);
  let best: Candidate | undefined;
  for (const one of candidates) if (best === undefined || isBefore(one, best)) best = one;
  if (best === undefined || mayBe === undefined || mayBe(best)) return best;
  return (
    candidates.toSorted((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0)).find(mayBe) ??
    best
  );
}

/** Where neither person nor item leans, half of the items begin with their sides exchanged. */
const beginsExchanged = (
  seed: number,
  { block, item }: { readonly block: StudyBlock; readonly item: StudyItem },
): boolean => randomFrom(seed, "study-side", block.name, item.id).chance(0.5);

/** From the earlier half of what the person answered, so that much lies between; sides exchanged. */
function nextRepeat(
  { settings: { seed } }: Study,
  {
    block,
    done,
    ordinal,
  }: {
    readonly block: StudyBlock;
    readonly done: readonly DoneAssignment[];
    readonly ordinal: number;
  },
): Assignment | undefined {
  const { repeats } = block.settings;
  const repeated = ofKind(done, "repeat").map(({ item }) => item);
  if (repeated.length >= repeats) return undefined;
  const answered = ofKind(done, "item").filter(({ isAnswered }) => isAnswered);
  const early = answered.slice(0, Math.max(repeats, Math.ceil(answered.length / 2)));
  const next = randomFrom(seed, "study-repeats", block.name, ordinal)
    .shuffle(early)
    .find(({ item }) => !repeated.includes(item));
  return next && { block: block.name, item: next.item, kind: "repeat", swapped: !next.swapped };
}
