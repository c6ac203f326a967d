import type { ParticipantEvent } from "./participant-event.js";
import type { Removal, StoredParticipant } from "./study-home.js";

/** What changes a study while it is served. All changes in order come to its state. */
export type StudyChange =
  /** Somebody agreed to take part: their first events, and with them that there is such a participant. */
  | { readonly change: "admitted"; readonly participant: StoredParticipant }
  | {
      readonly change: "event";
      readonly participant: string;
      readonly event: ParticipantEvent;
      /** False for what may be lost in a power cut. */
      readonly mustLast?: boolean;
    }
  | {
      readonly change: "removed";
      readonly removal: Removal;
      /** Of whom all there is is removed; not given where they never were one, or when it is read. */
      readonly participant?: string;
    }
  | { readonly change: "closed"; readonly at: number };
