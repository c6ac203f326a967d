import type { OfflineStudy } from "../../../src/studies/page/offline-study.js";
import type { SavedPage } from "../../../src/studies/page/take-pages.js";
import { answerValue } from "../../../src/studies/protocols/answer-value.js";
import { keep, kept } from "./session-store.js";
import type { Answer, Draft } from "./study-client.js";
import { languages } from "./words/words.js";

/** What stands in place of a server where the page is a file: it answers each call, and keeps answers in the browser. */
export interface OfflinePage {
  /** By what whoever opens the page joins. */
  readonly by: object;
  send(path: string, body?: object): Promise<Response>;
  /** What was answered so far, as a file that `study import` reads. */
  file(): { readonly name: string; readonly text: string };
}

type Sent = { readonly assignment: string; readonly note?: string } & (
  | { readonly answer: Answer }
  | { readonly skipped: true }
);

/** All that the browser keeps of who answers the page; nothing before they agree. */
interface Kept extends Partial<Pick<SavedPage, "copy" | "background" | "finished" | "withdrawn">> {
  readonly consent?: SavedPage["consent"];
  readonly answers: Readonly<Record<string, Sent & { readonly at: number }>>;
  readonly drafts: Readonly<Record<string, Draft>>;
}

const nothing: Kept = { answers: {}, drafts: {} };

/** Speaks the server's side of the participants' interface (data/study-calls.yaml) for the one participant of a page. */
function offlinePage(page: OfflineStudy): OfflinePage {
  const { id, session, participant, study, items, ends } = page;
  const name = `touchstone-study-page ${id} ${session}`;
  const now = (): Kept => JSON.parse(kept(name) ?? "null") ?? nothing;
  const change = (part: Partial<Kept>) => keep(name, JSON.stringify({ ...now(), ...part }));
  const counted = items.filter(({ practice }) => practice === undefined);

  const shown = (at: number) => {
    const item = items[at];
    if (item === undefined) return undefined;
    const { images: _, practice, ...rest } = item;
    const { answers, drafts } = now();
    const place = counted.indexOf(item);
    const draft = drafts[item.assignment];
    return {
      ...rest,
      number: place + 1 || counted.findIndex((one) => items.indexOf(one) > at) + 1,
      before: counted[place - 1]?.assignment ?? null,
      ...(practice && { practice: { number: practice.number, total: practice.total } }),
      ...(draft && { draft }),
      progress: {
        done: counted.filter(({ assignment }) => assignment in answers).length,
        total: counted.length,
      },
      upcoming: Object.keys(items[at + 1]?.images ?? {}),
    };
  };
  const stage = () => {
    const { consent, background } = now();
    const isAsked = Array.isArray(study.background) && study.background.length > 0;
    return consent === undefined ? "consent" : isAsked && !background ? "background" : "items";
  };

  const take = ({ assignment, ...sent }: Sent) => {
    const { answers, drafts } = now();
    const { [assignment]: _, ...others } = drafts;
    const at = Date.now();
    change({ answers: { ...answers, [assignment]: { assignment, at, ...sent } }, drafts: others });
    const { practice } = items.find((one) => one.assignment === assignment) ?? {};
    if (practice === undefined) return { accepted: true };
    const { expected, text } = practice;
    const given = "answer" in sent ? sent.answer : undefined;
    const right = given ? answerValue(given) === answerValue(expected) : null;
    return { accepted: true, feedback: { right, expected, text } };
  };

  // A body is the client's own, so it has the form that the call takes.
  const calls: Readonly<Record<string, (body: never) => unknown>> = {
    participants: () => ({ participant, session, stage: stage(), study }),
    consent: ({
      version,
      agreed,
      boxes,
    }: {
      version: string;
      agreed: boolean;
      boxes?: boolean[];
    }) => {
      if (!agreed) return { declined: true, ...ends.declined };
      const bits = crypto.getRandomValues(new Uint8Array(16));
      const copy = [...bits].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      change({ copy, consent: { at: Date.now(), version, ...(boxes && { boxes }) } });
      return { accepted: true };
    },
    background: (answers: NonNullable<Kept["background"]>) => {
      change({ background: answers });
      return { accepted: true };
    },
    next: () => shown(items.findIndex(({ assignment }) => !(assignment in now().answers))),
    answers: take,
    drafts: ({ assignment, draft }: { assignment: string; draft: Draft }) => {
      change({ drafts: { ...now().drafts, [assignment]: draft } });
      return { accepted: true };
    },
    withdraw: ({ erase }: { erase: boolean }) => {
      if (erase) keep(name, undefined);
      else change({ withdrawn: Date.now(), drafts: {} });
      return { withdrawn: true, erased: erase, ...ends.kept, canErase: !erase };
    },
    finish: () => {
      change({ finished: now().finished ?? Date.now(), drafts: {} });
      return ends.kept;
    },
  };

  const earlier = (assignment: string) => {
    const { note, ...sent } = now().answers[assignment] ?? {};
    const answer = "answer" in sent ? sent.answer : null;
    const at = items.findIndex((one) => one.assignment === assignment);
    return { ...shown(at), answer, ...(note !== undefined && { note }) };
  };
  const image = (of: string) => {
    const at = items.find(({ images }) => of in images)?.images[of] ?? -1;
    const bytes = Uint8Array.from(atob(page.images[at] ?? ""), (one) => one.charCodeAt(0));
    return new Response(bytes, { headers: { "Content-Type": "image/webp" } });
  };

  return {
    by: { page: session },
    async send(path, body) {
      const [call = "", of = ""] = path.split("/");
      if (call === "images") return image(of);
      if (now().withdrawn !== undefined && call !== "participants" && call !== "withdraw") {
        const { left } = languages[String(study.language)] ?? languages.en ?? {};
        const error = { code: "withdrawn", message: left };
        return Response.json({ error, ...ends.kept }, { status: 403 });
      }
      const answer = call === "assignments" ? earlier(of) : calls[call]?.(body as never);
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
    },
    file() {
      const { answers, drafts: _, ...rest } = now();
      const saved = {
        touchstone: "study-page",
        version: 1,
        study: id,
        title: study.title,
        participant,
        session,
        saved: Date.now(),
        ...rest,
        answers: Object.values(answers),
      };
      return { name: `answers-${participant}.json`, text: `${JSON.stringify(saved, null, 1)}\n` };
    },
  };
}

/** The study that this page was made with; undefined where a server serves it. */
export function pageInFile(): OfflinePage | undefined {
  const text = document.getElementById("offline")?.textContent;
  // The program that made the file wrote it so.
  return text ? offlinePage(JSON.parse(text) as OfflineStudy) : undefined;
}
