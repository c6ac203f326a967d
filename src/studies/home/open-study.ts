import { append } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import { isShared } from "../../files/open-store.js";
import { shownPlace } from "../../files/postgres/address.js";
import type { Study } from "../study.js";
import { type FrozenStudy, newSecrets } from "./frozen-study.js";
import type { StudyChange } from "./study-change.js";
import {
  checkFreeFolder,
  createStudyFolder,
  hasStudyFolder,
  openStudyFolder,
} from "./study-folder.js";
import type { StudyHome } from "./study-home.js";
import { StudyImages } from "./study-images.js";
import { createStudyLog, hasStudyLog, openStudyLog, studyLogImages } from "./study-log.js";

/**
 * Opens the study at a place: a folder, such as `studies/first`, or a name in a database, such as
 * `postgres://me@db/touchstone/first`. Nobody closes it: nothing stays open between calls.
 *
 * @throws InputError where there is none, or it was changed by hand.
 */
export const openStudy = (place: string): Promise<StudyHome> =>
  isShared(place) ? openStudyLog(place) : openStudyFolder(place);

/** Tells whether a complete study stands at a place. */
export const hasStudy = (place: string): Promise<boolean> =>
  isShared(place) ? hasStudyLog(place) : hasStudyFolder(place);

/** A place where a study is made: its images first, then what was frozen. */
export interface NewStudy {
  readonly images: Pick<StudyImages, "write">;
  create(study: Study, secrets?: Omit<FrozenStudy, "study">): Promise<void>;
}

/** @throws InputError where something stands at the place already. */
export async function newStudy(place: string): Promise<NewStudy> {
  if (isShared(place)) {
    if (await hasStudyLog(place)) throw standing(shownPlace(place));
    const images = await studyLogImages(place);
    return { images, create: (study, secrets) => createStudyLog(place, study, secrets) };
  }
  await checkFreeFolder(place);
  const images = new StudyImages(place);
  return { images, create: (study, secrets) => createStudyFolder(place, study, secrets) };
}

const standing = (place: string) =>
  new InputError(`Expected a new name for --run but ${place} is a study`, {
    hint: "Choose another name: a study's answers belong to the items it was created with.",
  });

/**
 * Returns a copy of a study to walk through: it reads items and images from `source` and never writes to
 * it; answers stay in memory. Anybody may join, and its sessions and tokens are not valid in the study.
 */
export function previewOf(source: StudyHome): StudyHome {
  const changes: StudyChange[] = [];
  const { settings } = source.study;
  return {
    study: { ...source.study, settings: { ...settings, open: true } },
    ...newSecrets(),
    place: `a preview of ${source.place}`,
    isShared: false,
    isPreview: true,
    image: (hash) => source.image(hash),
    changes: async (since) => ({ changes: changes.slice(since), upTo: changes.length }),
    turn: async (since, decide) => {
      append(changes, decide(changes.slice(since)));
      return changes.length;
    },
    soleServer: async () => undefined,
    beginServing: async () => {},
    noteServing: async () => {},
    endServing: async () => {},
    mend: async () => {},
    noteRun: async () => {},
    runs: async () => [],
    reclaim: async () => [],
  };
}
