import { InputError } from "../../core/errors.js";
import { type Assignment, personalOrder, Tally } from "../assignment/answer-tally.js";
import { nextAssignment } from "../assignment/next-assignment.js";
import { panelIn } from "../config/study-config.js";
import { Showings, type Shown } from "../server/showings.js";
import type { Tokens } from "../server/signed-tokens.js";
import type { Study } from "../study.js";

/** An offline page of a study: who answers it, and what it asks them, in their order. */
export interface PlannedPage {
  /** From 1. */
  readonly number: number;
  /** The pseudonym of whoever answers it. */
  readonly participant: string;
  /** Number of people before them: what their order is drawn by. */
  readonly ordinal: number;
  /** Proves that a file of answers is of this page. */
  readonly session: string;
  readonly shown: readonly Shown[];
}

/**
 * Plans the first pages of a study: each holds what its participant would be given by the server if the people of the
 * pages before it had answered everything and nobody else came. So it depends on the study alone, and the same study
 * gives the same pages; there are as many as items need answers.
 *
 * @param options.upTo the most pages
 */
export function plannedPages(
  study: Study,
  { tokens, upTo }: { readonly tokens: Tokens; readonly upTo: number },
): readonly PlannedPage[] {
  const { participants = Number.POSITIVE_INFINITY } = study.settings;
  const showings = new Showings(study, tokens);
  const tally = new Tally();
  const pages: PlannedPage[] = [];
  while (pages.length < Math.min(upTo, participants)) {
    const ordinal = pages.length;
    const number = ordinal + 1;
    const assignments = answeredBy(study, { ordinal, tally });
    if (assignments.every(({ kind }) => kind !== "item")) break;
    const proof = tokens.mac("page", String(number));
    const id = `p-${[...proof].slice(0, 10).map(letter).join("")}`;
    const shown = assignments.map((assignment) => showings.of({ id, ordinal }, assignment));
    pages.push({ number, participant: id, ordinal, session: `${number}.${proof}`, shown });
  }
  return pages;
}

const letter = (of: string): string => String.fromCharCode(97 + ((of.codePointAt(0) ?? 0) % 26));

function answeredBy(
  study: Study,
  { ordinal, tally }: { readonly ordinal: number; readonly tally: Tally },
): readonly Assignment[] {
  const { participants } = study.settings;
  const orders = new Map(
    study.blocks.map((block) => [block, personalOrder(study, { block, ordinal })]),
  );
  const toCome = (participants ?? 0) - ordinal - 1;
  const others = participants === undefined ? undefined : () => ({ here: [], toCome });
  const done: (Assignment & { readonly isAnswered: true })[] = [];
  for (;;) {
    const next = nextAssignment(
      { ordinal, done, open: undefined },
      {
        study,
        tally,
        openElsewhere: [],
        now: 0,
        others,
        orderOf: (block) => orders.get(block) ?? personalOrder(study, { block, ordinal }),
      },
    );
    if (next === undefined) break;
    done.push({ ...next, isAnswered: true });
  }
  for (const one of done) tally.add(one);
  return done.map(({ isAnswered: _, ...assignment }) => assignment);
}

/** @throws InputError for a study that needs its server while people answer, with the reason. */
export function checkOffline({ settings }: Study): void {
  const reason = settings.moderated
    ? "a facilitator leads its sessions (moderated)"
    : settings.screening.length > 0
      ? "answers about the person decide who takes part, with the numbers so far (screening)"
      : panelIn(settings) !== undefined
        ? "its participants come from a panel, which is told who finished (panel)"
        : undefined;
  if (reason === undefined) return;
  throw new InputError(`Expected a study that can be answered offline but ${reason}`, {
    hint: "Serve it: touchstone study serve STUDY; or create it anew without that setting.",
  });
}
