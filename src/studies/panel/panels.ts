import { hashOf } from "../../core/keys.js";
import { type Platform, platforms } from "../config/platforms.js";
import type { PanelSettings, StudySettings } from "../config/study-config.js";

/** Ends of a study that a panel tells apart, each with a completion code. */
export type Outcome = keyof StudySettings["codes"];
const outcomes: readonly Outcome[] = [
  "finished",
  "declined",
  "screenedOut",
  "full",
  "left",
  "failed",
];

/** A place where people are found: how it hands them over, where they go back to, and what it wants them paid. */
export interface Panel extends Platform {
  /** The address to go back to; `{code}` stands for the completion code. Without it the code alone is shown. */
  readonly returns?: string;
  /** The least pay an hour, by currency. */
  readonly least: Readonly<Record<string, number>>;
}

const known: Readonly<Record<"prolific" | "mturk", Omit<Panel, keyof Platform>>> = {
  prolific: {
    returns: "https://app.prolific.com/submissions/complete?cc={code}",
    least: { GBP: 6, USD: 8 },
  },
  mturk: { least: {} },
};

/** The panel that a study names: one that is known, or one described in its file. */
export function panelOf(settings: PanelSettings): Panel {
  const { platform } = settings;
  if (platform !== "generic") {
    const its = platforms.find(({ source }) => source === platform);
    return { source: platform, id: "participant", ...its, ...known[platform] };
  }
  const { study, session } = settings.parameters;
  return {
    source: settings.name ?? "generic",
    id: settings.id ?? "participant",
    ...(study !== undefined && { study }),
    ...(session !== undefined && { session }),
    least: {},
  };
}

/**
 * What each end of a study gives a participant: the panel's address with the end's code, or the code alone. A code that
 * the study's file does not name is made of its title and seed, another for each end.
 */
export function panelCodes({
  panel,
  codes,
  title,
  seed,
}: Pick<StudySettings, "codes" | "title" | "seed"> & {
  readonly panel: PanelSettings;
}): StudySettings["codes"] {
  const { returns } = panelOf(panel);
  const named: StudySettings["codes"] = {
    finished: panel.complete,
    declined: panel.noConsent,
    screenedOut: panel.screenedOut,
    full: panel.full,
    left: panel.left,
    failed: panel.failed,
  };
  return Object.fromEntries(
    outcomes.map((outcome) => {
      const text = `${title} ${seed} ${outcome}`;
      const own = hashOf(new TextEncoder().encode(text)).slice(0, 8).toUpperCase();
      const code = named[outcome] ?? codes[outcome] ?? own;
      const isAddress = /^https?:\/\//.test(code);
      return [outcome, isAddress || returns === undefined ? code : returns.replace("{code}", code)];
    }),
  );
}

/** The code in what an end gives: of an address its parameter cc, else the text itself. */
export function codeIn(end: string | undefined): string | undefined {
  if (end === undefined || !/^https?:\/\//.test(end)) return end;
  return new URL(end).searchParams.get("cc") ?? undefined;
}

/** The pay of one participant, and the least that the panel wants for the minutes it takes. */
export interface PanelPay {
  /** For the minutes that the study's file expects; undefined where neither it nor the panel says what an hour pays. */
  readonly reward: number | undefined;
  readonly least: number | undefined;
  readonly currency: string;
}

/** What the study pays: `payPerHour` for the expected minutes; the panel's least where the file says none. */
export function panelPay(panel: PanelSettings, payPerHour: number | undefined): PanelPay {
  const currency = panel.currency ?? Object.keys(panelOf(panel).least)[0] ?? "USD";
  const least = panel.leastPerHour ?? panelOf(panel).least[currency];
  const perHour = payPerHour ?? least;
  return {
    reward:
      perHour === undefined ? undefined : Math.round(100 * perHour * (panel.minutes / 60)) / 100,
    least,
    currency,
  };
}
