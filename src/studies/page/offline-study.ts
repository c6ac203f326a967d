import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import type { StudyHome } from "../home/study-home.js";
import { introductionOf } from "../server/joining.js";
import type { Shown } from "../server/showings.js";
import { endWithAnswers } from "../server/study-ends.js";
import type { PlannedPage } from "./planned-pages.js";

/** An item of an offline page, as its participant's browser is shown it. */
interface OfflineItem {
  readonly assignment: string;
  readonly block: string;
  readonly protocol: string;
  readonly item: JsonObject;
  /** Names of its images, as `item` has them, each with its place among the page's. */
  readonly images: Readonly<Record<string, number>>;
  readonly practice?: {
    readonly number: number;
    readonly total: number;
    readonly expected: JsonObject;
    readonly text?: string;
  };
}

/** All that an offline page holds; what it does not hold is which items are gold, and whose images they are. */
export interface OfflineStudy {
  /** The study's id. */
  readonly id: string;
  readonly study: JsonObject;
  readonly participant: string;
  readonly session: string;
  readonly items: readonly OfflineItem[];
  /** WebP files in base64. */
  readonly images: readonly string[];
  /** The end of who finished, left, or declined. */
  readonly ends: { readonly kept: JsonObject; readonly declined: JsonObject };
}

/**
 * Gathers all that a page holds.
 *
 * @param options.mostBytes of its images; base64 adds a third
 * @throws InputError where an image is gone, or they have more bytes.
 */
export async function offlineStudy(
  home: Pick<StudyHome, "study" | "image">,
  { participant, session, shown }: PlannedPage,
  { mostBytes = 36e6 }: { readonly mostBytes?: number } = {},
): Promise<OfflineStudy> {
  const { study } = home;
  const hashes = [...new Set(shown.flatMap(({ showing }) => showing.item.images))];
  const place = new Map(hashes.map((hash, at) => [hash, at]));
  const images: string[] = [];
  let left = mostBytes;
  for (const hash of hashes) {
    const bytes = await home.image(hash);
    left -= bytes.length;
    if (left < 0) {
      throw new InputError(
        `Expected at most ${mostBytes / 1e6} MB of images on a page but the ${hashes.length} of this one have more`,
        { hint: "Create the study with fewer items each (itemsPerParticipant), or serve it." },
      );
    }
    images.push(Buffer.from(bytes).toString("base64"));
  }
  // A code proves what was done: here the file of answers does.
  const end = { ...endWithAnswers(study, { code: undefined, now: 0 }) };
  return {
    id: study.id,
    study: introductionOf({ study }),
    participant,
    session,
    items: shown.map((one) => ({
      assignment: one.name,
      block: one.block.name,
      protocol: one.showing.settings.protocol,
      item: one.protocol.present(one.showing),
      images: Object.fromEntries(
        one.showing.names.map((name, at) => {
          const hash = one.showing.item.images[at];
          return [name, (hash === undefined ? undefined : place.get(hash)) ?? -1];
        }),
      ),
      ...practiceOf(one),
    })),
    images,
    ends: { kept: end, declined: {} },
  };
}

function practiceOf({ assignment, block, showing: { item } }: Shown) {
  const { practice = [] } = block;
  const { known, feedback } = item;
  if (assignment.kind !== "practice" || known === undefined) return {};
  const number = practice.findIndex(({ id }) => id === item.id) + 1;
  const text = feedback === undefined ? {} : { text: feedback };
  return { practice: { number, total: practice.length, expected: known, ...text } };
}
