import { largestOf } from "../../core/arrays.js";
import { randomFrom } from "../../core/random.js";

/** A metric's outcome on a pair. A tie counts as a failure (ProtoBias, equation 5) but is shown as a tie. */
export type PairOutcome = "right" | "wrong" | "tie" | "unscored";

/** Facts of a pair that a choice of cards needs. */
export interface CardCandidate {
  readonly prompt: string;
  readonly domain: string;
  readonly knob: string;
  /** One for each metric. */
  readonly outcomes: readonly PairOutcome[];
}

export const cardGroups = ["disagree", "all-fail", "all-right"] as const;

export type CardGroup = (typeof cardGroups)[number];

/** Which group a pair belongs to; none if a metric has no score for it. */
export function cardGroup(outcomes: readonly PairOutcome[]): CardGroup | undefined {
  if (outcomes.length === 0 || outcomes.includes("unscored")) return undefined;
  const right = outcomes.filter((outcome) => outcome === "right").length;
  if (right === 0) return "all-fail";
  return right === outcomes.length ? "all-right" : "disagree";
}

/**
 * Chooses pairs to show, by a rule that looks at no score: in each group (the metrics disagree, all
 * fail, all are right) one pair is drawn from each domain and knob in turn, in an order that the
 * seed decides, and at most one pair of a prompt. Places that a group can't fill go to the others,
 * in the order of `cardGroups`.
 *
 * @returns the chosen by group, in the order of `cardGroups`.
 */
export function chooseCards<Candidate extends CardCandidate>({
  candidates,
  places,
  seed,
}: {
  readonly candidates: readonly Candidate[];
  readonly places: Readonly<Record<CardGroup, number>>;
  readonly seed: number;
}): { readonly group: CardGroup; readonly candidate: Candidate }[] {
  const used = new Set<string>();
  const queues = cardGroups.map((group) => ({
    group,
    queue: inTurn(
      candidates.filter(({ outcomes }) => cardGroup(outcomes) === group),
      [seed, "cards", group],
    ),
    chosen: [] as Candidate[],
  }));
  const take = ({ queue, chosen }: (typeof queues)[number], most: number) => {
    let taken = 0;
    while (taken < most) {
      const next = queue.shift();
      if (next === undefined) break;
      if (used.has(next.prompt)) continue;
      used.add(next.prompt);
      chosen.push(next);
      taken += 1;
    }
    return most - taken;
  };
  let open = 0;
  for (const entry of queues) open += take(entry, places[entry.group]);
  for (const entry of queues) open = take(entry, open);
  return queues.flatMap(({ group, chosen }) => chosen.map((candidate) => ({ group, candidate })));
}

/** The first of each domain and knob, then the second of each, and so on. */
function inTurn<Candidate extends CardCandidate>(
  candidates: readonly Candidate[],
  seed: readonly (string | number)[],
): Candidate[] {
  const strata = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const name = JSON.stringify([candidate.domain, candidate.knob]);
    const members = strata.get(name);
    if (members) members.push(candidate);
    else strata.set(name, [candidate]);
  }
  const random = randomFrom(...seed);
  const shuffled = random
    .shuffle([...strata.entries()].sort(([a], [b]) => (a < b ? -1 : 1)))
    .map(([, members]) => random.shuffle(members));
  const longest = Math.max(0, largestOf(shuffled.map((members) => members.length)));
  return Array.from({ length: longest }, (_, at) =>
    shuffled.flatMap((list) => list[at] ?? []),
  ).flat();
}
