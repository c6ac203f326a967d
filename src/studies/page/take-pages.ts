import { z } from "zod";
import { append } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { ForeignFile } from "../../tables/foreign/foreign-table.js";
import { consentBoxes } from "../config/consent-boxes.js";
import type { EventOf } from "../home/participant-event.js";
import type { StudyHome } from "../home/study-home.js";
import { goldVerdict } from "../quality/participant-quality.js";
import { admittedNow, checkedBackground, isFull } from "../server/admission.js";
import { takeAnswer } from "../server/answering.js";
import { ParticipantSessions } from "../server/participant-sessions.js";
import { checked, requests } from "../server/requests.js";
import type { Shown } from "../server/showings.js";
import { proofOf } from "../server/signed-tokens.js";
import { StudyError } from "../server/study-error.js";
import { keptAnswers } from "../tables/counted-answers.js";
import { type PlannedPage, plannedPages } from "./planned-pages.js";

const at = z.int().nonnegative();

/** A file that an offline page saved. */
export const savedPageSchema = z.strictObject({
  touchstone: z.literal("study-page"),
  version: z.literal(1),
  /** The id of the study. */
  study: z.string(),
  title: z.string(),
  participant: z.string(),
  session: z.string(),
  /** Random, made in the browser: two people who answer copies of one page differ by it. */
  copy: z.string().min(16).max(100),
  saved: at,
  consent: z.strictObject({ at, version: z.string(), boxes: z.array(z.boolean()).optional() }),
  background: requests.background.optional(),
  answers: z.array(z.looseObject({ assignment: z.string(), at })),
  finished: at.optional(),
  withdrawn: at.optional(),
});

export type SavedPage = z.output<typeof savedPageSchema>;

/** Tells whether a file of JSON is one that an offline page saved. */
export const isSavedPage = ({ value }: ForeignFile): boolean =>
  typeof value === "object" &&
  value !== null &&
  "touchstone" in value &&
  value.touchstone === "study-page";

/** Counts of what was taken over. */
export interface TakenPages {
  /** Participants who are new. */
  readonly participants: number;
  readonly answers: number;
  /** Other answers by a person to an item answered before; both are kept, the latest counts. */
  readonly corrections: number;
  /** Answers that the study had already. */
  readonly known: number;
  /** Answers of people who were erased; left out. */
  readonly erased: number;
  /** Notes on items that are not answered yet, and on gold items. */
  readonly notes: readonly string[];
}

/**
 * Takes over files that offline pages saved, all of them or none. Whatever the server would refuse is refused. The
 * study must not be served meanwhile.
 *
 * @param options.clock milliseconds since 1970
 * @throws InputError with every problem and its file: another study, another version of it, another copy of a page,
 *   unknown or doubled assignments, answers that are none, times that can't be.
 */
export async function takePages(
  home: StudyHome,
  { files, clock }: { readonly files: readonly ForeignFile[]; readonly clock: () => number },
): Promise<TakenPages> {
  const now = { at: clock() };
  const sessions = new ParticipantSessions(home, { clock: () => now.at, onErased: () => {} });
  await sessions.look(() => {});
  const read = files.map((file) => readPage(file, { sessions, now: clock() }));
  // A copy may differ from what the study has and from a file beside it.
  const problems = [...new Set([...read.flatMap((one) => one.problems), ...copiesIn(read)])];
  if (problems.length > 0) {
    throw new InputError(
      `Expected files saved by pages of the study ${home.study.settings.title} but found ${problems.length} ${problems.length === 1 ? "problem" : "problems"}`,
      { problems, hint: "Nothing was taken over. Leave these files out, or mend what they say." },
    );
  }
  const count = { participants: 0, answers: 0, corrections: 0, known: 0, erased: 0 };
  const notes: string[] = [];
  await sessions.decide(() => {
    // Of one page that was saved twice the later file comes second.
    for (const { name, saved, page, answers } of read.toSorted((a, b) => savedOf(a) - savedOf(b))) {
      if (saved === undefined || page === undefined) continue;
      const proof = proofIn(saved);
      if (sessions.state.removalOf(proof) !== undefined) {
        count.erased += answers.length;
        continue;
      }
      if (sessions.state.participantBy(proof) === undefined) {
        sessions.admit({
          id: page.participant,
          events: [consentOf(saved, page)],
          outside: undefined,
        });
        count.participants += 1;
      }
      for (const answer of answers) {
        now.at = answer.at;
        count[take(sessions, { proof, ...answer })] += 1;
      }
      append(notes, end(sessions, { name, saved, page, now }));
    }
  });
  return { ...count, notes };
}

interface ReadPage {
  readonly name: string;
  readonly problems: readonly string[];
  readonly saved?: SavedPage;
  readonly page?: PlannedPage;
  readonly answers: readonly ReadAnswer[];
}

interface ReadAnswer {
  readonly at: number;
  readonly shown: Shown;
  readonly request: z.output<typeof requests.answer>;
}

const savedOf = ({ saved }: ReadPage): number => saved?.saved ?? 0;

const proofIn = ({ session, copy }: SavedPage): string => proofOf(`${session} ${copy}`);

/** Reads a file, with all that is wrong with it. */
function readPage(
  { name, value }: ForeignFile,
  { sessions, now }: { readonly sessions: ParticipantSessions; readonly now: number },
): ReadPage {
  const fail = (...problems: readonly string[]): ReadPage => ({
    name,
    problems: problems.map((problem) => `${name}: ${problem}`),
    answers: [],
  });
  const parsed = savedPageSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const member = issue?.path.map(String).join(".") || "the file";
    return fail(
      `expected a file as a study's page saves it but ${member} is not: ${issue?.message}`,
    );
  }
  const saved = parsed.data;
  const { study } = sessions.home;
  if (saved.study !== study.id) {
    return fail(
      saved.title === study.settings.title
        ? `expected answers to the study ${study.id} but received those to ${saved.study}, another version of it; take them into the study that the page was made from`
        : `expected answers to ${study.settings.title} but received those to ${saved.title}, another study; take them into that one`,
    );
  }
  const number = Number(saved.session.split(".")[0]);
  const upTo = Number.isInteger(number) && number > 0 ? number : 0;
  const page = plannedPages(study, { tokens: sessions.tokens, upTo })[upTo - 1];
  if (page?.session !== saved.session || page.participant !== saved.participant) {
    return fail(
      "expected a page that study page made of this study but its session is not of it; take it into the folder that the page was made from",
    );
  }
  const problems: string[] = [];
  const refused = refusalOf(saved, { sessions, page, now });
  if (refused !== undefined) problems.push(refused);
  const shown = new Map(page.shown.map((one) => [one.name, one]));
  const seen = new Set<string>();
  const answers = saved.answers.flatMap(({ at: answeredAt, ...body }, place): ReadAnswer[] => {
    const say = (problem: string) => {
      problems.push(`answers[${place}]: ${problem}`);
      return [];
    };
    const one = shown.get(body.assignment);
    if (one === undefined)
      return say(`expected an item of this page but received "${body.assignment}"`);
    if (seen.has(one.name))
      return say(`expected one answer to ${one.assignment.item} but there are two`);
    seen.add(one.name);
    if (answeredAt < saved.consent.at || answeredAt > saved.saved) {
      return say(
        `expected a time between consent and saving but received ${new Date(answeredAt).toISOString()}`,
      );
    }
    try {
      const request = checked(requests.answer, body);
      if ("answer" in request) checked(one.protocol.answer(one.showing), request.answer);
      return [{ at: answeredAt, shown: one, request }];
    } catch (error) {
      if (error instanceof StudyError) return say(`${one.assignment.item}: ${error.message}`);
      throw error;
    }
  });
  return { ...fail(...problems), saved, page, answers };
}

/** Why a file's participant is not let in; undefined where they are. */
function refusalOf(
  { consent, background, saved, ...file }: SavedPage,
  {
    sessions,
    page,
    now,
  }: {
    readonly sessions: ParticipantSessions;
    readonly page: PlannedPage;
    readonly now: number;
  },
): string | undefined {
  const { state, home } = sessions;
  const { consent: text, settings } = home.study;
  const { boxes = [] } = consent;
  if (consent.version !== text.version) {
    return `expected consent to version ${text.version} of its text but received ${consent.version}`;
  }
  if (boxes.length !== consentBoxes(text.text).length || boxes.includes(false)) {
    return "expected each box of the consent ticked";
  }
  const times = [saved, file.finished ?? saved, file.withdrawn ?? saved];
  if (times.some((time) => time < consent.at || time > now + longestAhead)) {
    return `expected times between consent (${new Date(consent.at).toISOString()}) and now but received ${new Date(saved).toISOString()}; was a clock wrong?`;
  }
  try {
    checkedBackground(settings.background, background ?? {});
  } catch (error) {
    if (error instanceof StudyError) return error.message;
    throw error;
  }
  const proof = proofIn({ consent, background, saved, ...file });
  const known = state.participants.get(page.participant);
  if (known !== undefined) return known.proofs.includes(proof) ? undefined : otherCopy(page);
  if (state.closedAt !== undefined && consent.at > state.closedAt) {
    return "expected consent before the study was closed";
  }
  if (state.removalOf(proof) === undefined && isFull(settings, admittedNow(sessions))) {
    return `expected at most ${settings.participants} participants but the study has as many`;
  }
  return undefined;
}

/** Milliseconds that another computer's clock may be ahead. */
const longestAhead = 24 * 3_600_000;

const otherCopy = ({ number }: PlannedPage): string =>
  `expected page ${number} from the browser that it came from before but this is another copy of it; give each person a page of their own (--page), and leave one of the two out`;

/** Problems of files that are two copies of one page. */
function copiesIn(read: readonly ReadPage[]): readonly string[] {
  const first = new Map<string, string>();
  return read.flatMap(({ name, saved, page }) => {
    if (saved === undefined || page === undefined) return [];
    const copy = first.get(saved.session) ?? saved.copy;
    first.set(saved.session, copy);
    return copy === saved.copy ? [] : [`${name}: ${otherCopy(page)}`];
  });
}

const consentOf = ({ consent, ...saved }: SavedPage, { ordinal }: PlannedPage) => {
  const boxes = consent.boxes?.length ?? 0;
  const event: EventOf<"consent"> = {
    event: "consent",
    at: consent.at,
    version: consent.version,
    ...(boxes === 0 ? {} : { boxes }),
    ordinal,
    proof: proofIn({ consent, ...saved }),
  };
  return event;
};

function take(
  sessions: ParticipantSessions,
  { proof, at: answeredAt, shown, request }: ReadAnswer & { readonly proof: string },
): "answers" | "corrections" | "known" {
  const participant = sessions.state.participantBy(proof);
  if (participant === undefined) throw new Error("Expected the participant to be admitted");
  const countOf = () => participant.assignments.get(shown.name)?.answers.length ?? 0;
  const latest = participant.assignments.get(shown.name)?.answers.at(-1);
  if (latest !== undefined && latest.at >= answeredAt) return "known";
  const before = countOf();
  takeAnswer(sessions, { participant, shown, request });
  return countOf() === before ? "known" : before === 0 ? "answers" : "corrections";
}

/** Writes what a file says beside its answers; returns notes on it. */
function end(
  sessions: ParticipantSessions,
  {
    name,
    saved,
    page,
    now,
  }: {
    readonly name: string;
    readonly saved: SavedPage;
    readonly page: PlannedPage;
    readonly now: { at: number };
  },
): readonly string[] {
  const { home, state } = sessions;
  const participant = state.participantBy(proofIn(saved));
  if (participant === undefined) return [];
  const { background, finished, withdrawn } = saved;
  now.at = saved.saved;
  if (background !== undefined && participant.background === undefined) {
    sessions.write(participant, { event: "background", at: saved.saved, answers: background });
  }
  if (finished !== undefined && !participant.isFinished) {
    sessions.write(participant, { event: "finished", at: finished });
  }
  if (withdrawn !== undefined && !participant.isWithdrawn) {
    sessions.write(participant, { event: "withdrawn", at: withdrawn });
  }
  const left = page.shown.length - participant.assignments.size;
  const verdict = goldVerdict(home.study, keptAnswers(home.study, [participant]));
  return [
    ...(left > 0 ? [`${name}: ${participant.id} has ${left} of ${page.shown.length} left`] : []),
    ...(verdict === "end"
      ? [`${name}: ${participant.id} missed gold items (goldCheck): kept, and left out as excluded`]
      : []),
  ];
}
