import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { studyConfigSchema } from "../config/study-schema.js";
import type { Study, StudyItem } from "../study.js";
import {
  type Assignment,
  type DoneAssignment,
  type OpenAssignment,
  Tally,
} from "./answer-tally.js";
import { nextAssignment } from "./next-assignment.js";

const item = (id: string): StudyItem => ({
  id,
  images: [],
  sources: [],
  content: {},
  beside: {},
});

const ids = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => item(`${prefix}${index}`));

function study({
  items = [4],
  gold = 0,
  order = "fixed",
  seed = 0,
  participants,
  ...block
}: {
  readonly items?: readonly number[];
  readonly gold?: number;
  readonly order?: "fixed" | "drawn";
  readonly seed?: number;
  readonly ratingsPerItem?: number;
  readonly itemsPerParticipant?: number;
  readonly repeats?: number;
  readonly participants?: number | undefined;
}): Study {
  const settings = studyConfigSchema.parse({
    title: "Pairs",
    consent: "I agree",
    seed,
    order,
    participants,
    leaseMinutes: 10,
    blocks: items.map(() => ({ protocol: "pairwise", from: "pairs.csv", ...block })),
  });
  return {
    id: "study",
    settings,
    consent: { version: "1", text: "I agree" },
    blocks: settings.blocks.map((one, index) => ({
      name: `pairwise-${index}`,
      settings: one,
      items: ids(items[index] ?? 0, "item-"),
      gold: ids(gold, "gold-"),
    })),
  };
}

interface Person {
  isGone?: boolean;
  readonly ordinal: number;
  readonly done: DoneAssignment[];
  open: OpenAssignment | undefined;
}

/** People at work on one study, as the server has them. */
class Session {
  readonly people: Person[] = [];
  now = 0;
  readonly study: Study;

  constructor(of: Study) {
    this.study = of;
  }

  join(): Person {
    const person: Person = { ordinal: this.people.length, done: [], open: undefined };
    this.people.push(person);
    return person;
  }

  next(person: Person): Assignment | undefined {
    if (person.open !== undefined) return person.open;
    const assignment = nextAssignment(person, {
      study: this.study,
      tally: Tally.of(this.people),
      openElsewhere: this.people.flatMap(({ open }) => open ?? []),
      now: this.now,
      others: this.#others(person),
    });
    if (assignment !== undefined) person.open = { ...assignment, at: this.now };
    return assignment;
  }

  #others(person: Person) {
    const { participants } = this.study.settings;
    if (participants === undefined) return undefined;
    const here = this.people.filter((one) => one !== person && !one.isGone);
    const gone = this.people.filter(({ isGone }) => isGone).length;
    return () => ({ here, toCome: participants - (this.people.length - gone) });
  }

  /** Somebody never comes back: what they had open is others', and so is their place. */
  leave(person: Person): void {
    person.isGone = true;
    person.open = undefined;
  }

  answer(person: Person, isAnswered = true): void {
    if (person.open === undefined) return;
    const { at: _, ...assignment } = person.open;
    person.done.push({ ...assignment, isAnswered });
    person.open = undefined;
  }

  /** Answers to an item that count towards `ratingsPerItem`. */
  countOf(block: string, id: string): number {
    return this.counted(block, id).length;
  }

  counted(block: string, id: string): DoneAssignment[] {
    return this.people.flatMap(({ done }) =>
      done.filter(
        (one) => one.isAnswered && one.kind === "item" && one.block === block && one.item === id,
      ),
    );
  }
}

const settings = fc.record({
  items: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 2 }),
  ratingsPerItem: fc.integer({ min: 1, max: 4 }),
  gold: fc.integer({ min: 0, max: 2 }),
  repeats: fc.integer({ min: 0, max: 2 }),
  order: fc.constantFrom("fixed" as const, "drawn" as const),
  seed: fc.integer({ min: 0, max: 99 }),
});

test("in 1,000 studies nobody answers twice, counts stay even, sides balanced within one", () => {
  fc.assert(
    fc.property(
      settings,
      fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      // Who does the next thing: opens or answers, skips, or is away for longer than a lease.
      fc.array(fc.tuple(fc.nat(5), fc.constantFrom("answer", "answer", "answer", "skip", "open"))),
      (given, itemsPerParticipant, moves) => {
        const session = new Session(
          study({ ...given, ...(itemsPerParticipant && { itemsPerParticipant }) }),
        );
        for (let joined = 0; joined < 6; joined++) session.join();
        for (const [who, what] of moves) {
          const person = session.people[who] as Person;
          const others = session.people.filter((one) => one !== person);
          const before = person.open;
          const next = session.next(person);
          if (next === undefined) continue;
          const block = session.study.blocks.find(({ name }) => name === next.block);
          if (next.kind === "item" && before === undefined && block !== undefined) {
            const load = (id: string) =>
              session.countOf(next.block, id) +
              others.filter(
                ({ open }) =>
                  open?.item === id && open.block === next.block && open.kind === "item",
              ).length;
            expect(load(next.item)).toBeLessThan(block.settings.ratingsPerItem);
            const seen = person.done
              .filter((one) => one.block === next.block && one.kind === "item")
              .map((one) => one.item);
            expect(seen).not.toContain(next.item);
            for (const other of block.items) {
              if (!seen.includes(other.id))
                expect(load(next.item)).toBeLessThanOrEqual(load(other.id));
            }
          }
          if (what !== "open") session.answer(person, what === "answer");
        }
        for (const { name, items } of session.study.blocks) {
          for (const { id } of items) {
            const counted = session.counted(name, id);
            expect(counted.length).toBeLessThanOrEqual(given.ratingsPerItem);
            if (moves.every(([, what]) => what === "answer")) {
              const exchanged = counted.filter(({ swapped }) => swapped).length;
              expect(Math.abs(counted.length - 2 * exchanged)).toBeLessThanOrEqual(1);
            }
          }
        }
        for (const { done } of session.people) {
          const items = done
            .filter(({ kind }) => kind === "item")
            .map((one) => `${one.block} ${one.item}`);
          expect(new Set(items).size).toBe(items.length);
          for (const { name, settings: own } of session.study.blocks) {
            const most = own.itemsPerParticipant ?? 100;
            expect(items.filter((one) => one.startsWith(`${name} `)).length).toBeLessThanOrEqual(
              most,
            );
          }
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test("with enough people every item gets its ratings, whoever is quick", () => {
  fc.assert(
    fc.property(settings, fc.infiniteStream(fc.nat(4)), (given, turns) => {
      const session = new Session(study(given));
      const people = Array.from({ length: 5 }, () => session.join());
      const left = new Set(people);
      for (const turn of turns) {
        if (left.size === 0) break;
        const person = [...left][turn % left.size] as Person;
        if (session.next(person) === undefined) left.delete(person);
        session.answer(person);
      }
      for (const { name, items } of session.study.blocks) {
        for (const { id } of items) expect(session.countOf(name, id)).toBe(given.ratingsPerItem);
      }
      for (const { done } of people) {
        for (const { name, gold } of session.study.blocks) {
          const own = done.filter(({ block }) => block === name);
          const repeats = own.filter(({ kind }) => kind === "repeat");
          const answered = own.filter(({ kind }) => kind === "item");
          expect(repeats.length).toBe(Math.min(given.repeats, answered.length));
          expect(new Set(repeats.map((one) => one.item)).size).toBe(repeats.length);
          expect(own.filter(({ kind }) => kind === "gold").length).toBeLessThanOrEqual(gold.length);
        }
      }
    }),
    { numRuns: 200 },
  );
});

/** Goes through a study whose people come, open and answer in a drawn order; ratings by item. */
function ratingsOf(
  of: Study,
  { people, turns, leavers = 0 }: { people: number; turns: Iterable<number>; leavers?: number },
) {
  let [leaving, came] = [leavers, people];
  const session = new Session(of);
  const left = new Set(Array.from({ length: people }, (_, at) => at));
  const joined = new Map<number, Person>();
  for (const turn of turns) {
    if (left.size === 0) break;
    const who = [...left][turn % left.size] as number;
    const person = joined.get(who) ?? session.join();
    joined.set(who, person);
    if (leaving > 0 && turn % 5 === 0) {
      // Another comes for whoever never comes back.
      session.leave(person);
      left.delete(who);
      left.add(came++);
      leaving -= 1;
      continue;
    }
    // Whoever has something open answers it; others open the next.
    if (person.open !== undefined) session.answer(person);
    else if (session.next(person) === undefined) left.delete(who);
  }
  return of.blocks.flatMap(({ name, items }) => items.map(({ id }) => session.countOf(name, id)));
}

/** Studies whose people can give what is wanted, exactly or with some to spare. */
const enough = fc
  .record({
    items: fc.integer({ min: 1, max: 7 }),
    each: fc.integer({ min: 1, max: 7 }),
    ratings: fc.integer({ min: 1, max: 5 }),
    spare: fc.integer({ min: 0, max: 1 }),
    seed: fc.integer({ min: 0, max: 99 }),
  })
  .map(({ items, each, ratings, spare, seed }) => {
    const itemsPerParticipant = Math.min(each, items);
    const participants = Math.max(
      ratings,
      Math.ceil((items * ratings) / itemsPerParticipant) + spare,
    );
    return { items, itemsPerParticipant, ratingsPerItem: ratings, participants, seed };
  });

test("whoever can give what is wanted gives it: in 1,000 studies every item ends full", () => {
  const turnsOf = fc.infiniteStream(fc.nat(30));
  fc.assert(
    fc.property(enough, turnsOf, fc.nat(3), ({ items, ...given }, turns, leavers) => {
      const ratings = ratingsOf(study({ items: [items], ...given }), {
        people: given.participants,
        turns,
        leavers,
      });
      expect(ratings).toEqual(ratings.map(() => given.ratingsPerItem));
    }),
    { numRuns: 1000 },
  );
});

test("without a look at who else can answer, items of exact studies starve", () => {
  const turns = randomFrom("starving");
  const endless = {
    *[Symbol.iterator]() {
      for (;;) yield turns.integer(30);
    },
  };
  const given = { items: [4], ratingsPerItem: 3, itemsPerParticipant: 3 };
  const short = (of: Study) =>
    Array.from({ length: 200 }, () => ratingsOf(of, { people: 4, turns: endless })).filter(
      (ratings) => ratings.some((count) => count < 3),
    ).length;
  expect(short(study(given))).toBeGreaterThan(0);
  expect(short(study({ ...given, participants: 4 }))).toBe(0);
});

test("an item that is open is given to others when its lease has run out", () => {
  const session = new Session(study({ items: [1], ratingsPerItem: 1 }));
  const [first, second] = [session.join(), session.join()];
  expect(session.next(first)?.item).toBe("item-0");
  session.now = 10 * 60_000 - 1;
  expect(session.next(second)).toBeUndefined();
  session.now = 10 * 60_000;
  expect(session.next(second)?.item).toBe("item-0");
  // Whoever comes back late still has it: no answer is lost.
  expect(session.next(first)?.item).toBe("item-0");
});

test("an answer still owed after its lease is left to whoever owes it, while others are wanted", () => {
  for (let seed = 0; seed < 20; seed++) {
    const given = { ratingsPerItem: 1, itemsPerParticipant: 1, participants: 2, seed };
    const session = new Session(study({ items: [2], ...given }));
    const [late, other] = [session.join(), session.join()];
    session.next(late);
    session.now = 10 * 60_000;
    expect(session.next(other)?.item).not.toBe(late.open?.item);
    session.answer(other);
    session.answer(late);
    expect(session.countOf("pairwise-0", "item-0")).toBe(1);
    expect(session.countOf("pairwise-0", "item-1")).toBe(1);
  }
});

test("a skipped item goes to others and not to the same person", () => {
  const session = new Session(study({ items: [1], ratingsPerItem: 1 }));
  const [first, second] = [session.join(), session.join()];
  session.next(first);
  session.answer(first, false);
  expect(session.next(first)).toBeUndefined();
  expect(session.next(second)?.item).toBe("item-0");
});

test("order differs by person and is the same for the same seed", () => {
  const sequence = (seed: number, people: number) => {
    const session = new Session(study({ items: [8], ratingsPerItem: 9, seed }));
    return Array.from({ length: people }, () => {
      const person = session.join();
      const seen: string[] = [];
      for (let next = session.next(person); next !== undefined; next = session.next(person)) {
        seen.push(next.item);
        session.answer(person);
      }
      return seen.join(" ");
    });
  };
  expect(sequence(1, 3)).toEqual(sequence(1, 3));
  expect(sequence(1, 1)).not.toEqual(sequence(2, 1));
  expect(new Set(sequence(1, 3)).size).toBe(3);
});

test("a person's own sides are even within one where the items leave a choice", () => {
  const session = new Session(study({ items: [20], ratingsPerItem: 4, itemsPerParticipant: 10 }));
  for (let joined = 0; joined < 8; joined++) {
    const person = session.join();
    while (session.next(person) !== undefined) session.answer(person);
    const exchanged = person.done.filter(({ swapped }) => swapped).length;
    expect(Math.abs(person.done.length - 2 * exchanged)).toBeLessThanOrEqual(1);
  }
});
