import { append } from "../../core/append.js";
import { newSecrets } from "./frozen-study.js";
import type { StudyChange } from "./study-change.js";
import type { StudyHome } from "./study-home.js";

/**
 * A study to be walked through: its items and images are those of its home, which it never writes to; all that
 * people do is in memory and gone with it. Anybody may join, and no session or token is one of the study's own.
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
    end: () => source.end(),
  };
}
