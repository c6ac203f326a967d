import { agreement } from "../analysis/agreement/agreement.js";
import { InputError } from "../core/errors.js";
import type { RatingScale } from "../stats/krippendorff-alpha.js";
import { quantile } from "../stats/percentile-interval.js";
import { panelIn } from "./config/study-config.js";
import { type RemovalReason, removalReasons } from "./home/study-change.js";
import type { StudyHome } from "./home/study-home.js";
import type { ParticipantState } from "./home/study-state.js";
import { panelPay } from "./panel/panels.js";
import { hasLevels } from "./protocols/protocols.js";
import { type ParticipantQuality, participantQuality } from "./quality/participant-quality.js";
import type { StudyBlock } from "./study.js";
import { collect } from "./tables/counted-answers.js";
import { exportTable, hasTable } from "./tables/export-table.js";

/** Where a block stands. */
export interface BlockStatus {
  readonly name: string;
  readonly protocol: string;
  readonly items: number;
  /** Answers to items; gold, repeats and skipped ones apart. */
  readonly answers: number;
  /** Items x ratings wanted of each. */
  readonly wanted: number;
  /** Items that have all their ratings. */
  readonly complete: number;
  readonly skipped: number;
  /** Null where there is nothing to agree on yet. */
  readonly agreement: {
    readonly majorityShare: number | null;
    readonly fleissKappa: number | null;
    readonly krippendorffAlpha: number | null;
  } | null;
}

/** Where a study stands. */
export interface StudyStatus {
  readonly title: string;
  /** Milliseconds since 1970; null while it is open. */
  readonly closedAt: number | null;
  readonly retention: string | null;
  readonly participants: {
    readonly consented: number;
    readonly finished: number;
    readonly withdrawn: number;
  } & Readonly<Record<RemovalReason, number>>;
  /** Answers collected elsewhere, such as in Label Studio, and taken over: in no other figure here. */
  readonly elsewhere: { readonly participants: number; readonly answers: number };
  /** What participants come to be paid; only of a study with a panel. */
  readonly pay?: {
    readonly medianMinutes: number | null;
    /** The reward by the median minutes; null where nobody has finished, or there is no reward. */
    readonly perHour: number | null;
    /** Null where neither the study nor its panel says what an hour pays. */
    readonly reward: number | null;
    readonly currency: string;
    /** The least that the panel wants; null where it says none. */
    readonly least: number | null;
  };
  readonly blocks: readonly BlockStatus[];
  readonly quality: readonly ParticipantQuality[];
}

/** Reads where a study stands from what is on the disk. */
export async function studyStatus(home: StudyHome): Promise<StudyStatus> {
  const { study } = home;
  const { state, answers, others } = await collect(home);
  const everybody = [...state.participants.values()];
  const participants = everybody.filter(({ elsewhere }) => elsewhere === undefined);
  const removed = Object.fromEntries(
    removalReasons.map((reason) => [
      reason,
      state.removals.filter((one) => one.reason === reason).length,
    ]),
  ) as Record<RemovalReason, number>;
  return {
    title: study.settings.title,
    closedAt: state.closedAt ?? null,
    retention: study.settings.retention ?? null,
    participants: {
      consented: state.people,
      finished: participants.filter(({ isFinished }) => isFinished).length,
      withdrawn: participants.filter(({ isWithdrawn }) => isWithdrawn).length,
      ...removed,
    },
    elsewhere: { participants: everybody.length - participants.length, answers: others },
    blocks: study.blocks.map((block) => {
      const own = answers.filter(({ block: name, kind }) => name === block.name && kind === "item");
      const { ratingsPerItem } = block.settings;
      return {
        name: block.name,
        protocol: block.settings.protocol,
        items: block.items.length,
        answers: own.filter(({ answer }) => answer !== null).length,
        wanted: block.items.length * ratingsPerItem,
        complete: block.items.filter(
          ({ id }) => state.tally.answersTo(block.name, id) >= ratingsPerItem,
        ).length,
        skipped: own.filter(({ answer }) => answer === null).length,
        agreement: hasTable(block, "agreement") ? agreementOf(block, { home, answers }) : null,
      };
    }),
    quality: participantQuality(study, answers),
    ...payOf(study, participants),
  };
}

/** Minutes from consent to the last answer of those who finished, and the pay an hour that this comes to. */
function payOf(
  { settings }: StudyHome["study"],
  participants: readonly ParticipantState[],
): Pick<StudyStatus, "pay"> {
  const panel = panelIn(settings);
  if (panel === undefined) return {};
  const { reward = null, least = null, currency } = panelPay(panel, settings.payPerHour);
  const minutes = participants
    .filter(({ isFinished }) => isFinished)
    .map(({ seenAt, consentedAt }) => (seenAt - consentedAt) / 60_000)
    .sort((a, b) => a - b);
  const medianMinutes = minutes.length === 0 ? null : quantile(minutes, 0.5);
  const perHour = reward === null || !medianMinutes ? null : (60 * reward) / medianMinutes;
  return { pay: { medianMinutes, perHour, reward, currency, least } };
}

/** The scale on which a protocol's answers agree. */
export const scaleOf = ({ settings: { protocol } }: StudyBlock): RatingScale =>
  hasLevels(protocol) ? "ordinal" : "nominal";

function agreementOf(
  block: StudyBlock,
  {
    home,
    answers,
  }: { readonly home: StudyHome; readonly answers: Awaited<ReturnType<typeof collect>>["answers"] },
): BlockStatus["agreement"] {
  const rows = exportTable(home.study, { answers, table: "agreement", block: block.name }).map(
    ({ item, annotator, value }) => ({
      item: String(item),
      annotator: String(annotator),
      value: String(value),
    }),
  );
  if (rows.length === 0) return null;
  try {
    // Intervals are `analyze agreement`'s: here the figures so far are enough.
    const { majorityShare, fleissKappa, krippendorffAlpha } = agreement(rows, {
      scale: scaleOf(block),
      resamples: 1,
    });
    return { majorityShare, fleissKappa, krippendorffAlpha };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
