import { z } from "zod";
import { IncompleteError, InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { jsonOrNone } from "../../core/read-json.js";
import { xmlText } from "../../core/xml-text.js";
import type { PanelSettings, StudySettings } from "../config/study-config.js";
import type { AnswerTable } from "../protocols/protocol.js";
import type { ParticipantQuality } from "../quality/participant-quality.js";
import { codeIn, type Outcome, panelPay } from "./panels.js";
import type { Settled, Settlement } from "./settled.js";

/** Of Prolific's twelve categories (docs.prolific.com, transition-submission) the one of each rule; gold counts first. */
const rejectionCategories = {
  "gold-check": "FAILED_CHECK",
  "gold-accuracy-below": "FAILED_CHECK",
  "repeat-agreement-below": "LOW_EFFORT",
  "median-seconds-below": "TOO_QUICKLY",
  "same-answer-above": "LOW_EFFORT",
} as const satisfies Readonly<Record<ParticipantQuality["excludedBy"][number], string>>;

const categoryOf = (reason: string): string =>
  Object.entries(rejectionCategories).find(([rule]) => reason.includes(rule))?.[1] ?? "OTHER";

/**
 * Calls of Prolific's API (docs.prolific.com/api-reference) that make a study and settle its submissions. None is made
 * again where it fails: a study that was made twice would be paid twice.
 */
export class ProlificClient {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor({ baseUrl, token }: { readonly baseUrl: string; readonly token: string }) {
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#token = token;
  }

  /** Makes a draft of a study; a person publishes it. Returns its id. */
  async createStudy(body: JsonObject): Promise<string> {
    const made = await this.#post("/api/v1/studies/", body);
    const read = z.object({ id: z.string() }).safeParse(made);
    if (read.success) return read.data.id;
    throw new IncompleteError(
      "Prolific made a study without saying its id; look for a draft there",
    );
  }

  /**
   * Approves and rejects submissions, and sets up bonuses, which a person pays.
   *
   * @param settled notes each call, so that none is made twice.
   * @throws InputError where a submission is not named or Prolific refuses a call.
   */
  async settle({ approve, reject, bonus }: Settlement, settled: Settled): Promise<void> {
    const nameless = [...approve, ...reject].find(({ study, session }) => !study || !session);
    if (nameless !== undefined) {
      throw new InputError(
        `Expected STUDY_ID and SESSION_ID of ${nameless.id} but one is missing`,
        {
          hint: "They came without these in their address; settle it at Prolific by hand",
        },
      );
    }
    for (const [study, rows] of byStudy(approve)) {
      await settled.call("approve", rows, () =>
        this.#post("/api/v1/submissions/bulk-approve/", {
          study_id: study,
          participant_ids: rows.map(({ id }) => String(id)),
        }),
      );
    }
    for (const row of reject) {
      const path = `/api/v1/submissions/${encodeURIComponent(String(row.session))}/transition/`;
      await settled.call("reject", [row], () =>
        this.#post(path, {
          action: "REJECT",
          rejection_category: categoryOf(String(row.reason)),
          message:
            `Your answers did not meet a rule that was fixed before this study began (${row.reason}). ` +
            "Please write to us if you think that this is wrong, and we will look at your answers again.",
        }),
      );
    }
    for (const [study, rows] of byStudy(bonus)) {
      await settled.call("bonus", rows, () =>
        this.#post("/api/v1/submissions/bonus-payments/", {
          study_id: study,
          csv_bonuses: rows
            .map(({ id, amount }) => `${id},${Number(amount).toFixed(2)}`)
            .join("\n"),
        }),
      );
    }
  }

  async #post(path: string, body: JsonObject): Promise<unknown> {
    const address = `${this.#baseUrl}${path}`;
    let reply: Response;
    let text: string;
    try {
      reply = await fetch(address, {
        method: "POST",
        headers: { Authorization: `Token ${this.#token}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
        redirect: "error",
      });
      text = await reply.text();
    } catch (cause) {
      throw new IncompleteError(`Expected an answer of ${address} but none came`, { cause });
    }
    if (reply.status >= 500) {
      throw new IncompleteError(
        `Expected Prolific to take the call but it answered ${reply.status}`,
      );
    }
    if (!reply.ok) {
      const said = text.slice(0, 500).replaceAll(this.#token, "…");
      throw new InputError(
        `Expected Prolific to take the call but it answered ${reply.status}: ${said}`,
        {
          hint: `It was sent to ${path}; what was done before stays done.`,
        },
      );
    }
    return jsonOrNone(text);
  }
}

function byStudy(rows: AnswerTable): Map<string, AnswerTable> {
  const found = new Map<string, AnswerTable>();
  for (const row of rows) {
    const study = String(row.study ?? "");
    found.set(study, [...(found.get(study) ?? []), row]);
  }
  return found;
}

/**
 * The body of a study for Prolific's API (POST /api/v1/studies/, docs.prolific.com): its address with the ids that are
 * handed over, reward in the smallest unit of the currency, places, devices, and a completion code for each end.
 *
 * @param panel.url where participants open the study.
 * @throws InputError where the study says neither what an hour pays nor how many places there are.
 */
export function prolificStudy(
  { title, payPerHour, participants, codes }: StudySettings,
  panel: PanelSettings & { readonly url: string },
): JsonObject {
  const { reward, currency } = panelPay(panel, payPerHour);
  const places = panel.places ?? participants;
  if (reward === undefined) {
    throw new InputError(
      `Expected what an hour pays in ${currency} but the study's file says none`,
      {
        hint: "payPerHour: 12, or leastPerHour in its panel",
      },
    );
  }
  if (places === undefined) {
    throw new InputError("Expected the number of places but the study's file says none", {
      hint: "participants: 40, or places in its panel",
    });
  }
  return {
    name: title,
    internal_name: title,
    description: panel.description ?? title,
    external_study_url: `${panel.url.replace(/\/+$/, "")}/?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}`,
    prolific_id_option: "url_parameters",
    completion_codes: completionCodes(codes, { panel, places }),
    estimated_completion_time: Math.ceil(panel.minutes),
    reward: Math.round(100 * reward),
    total_available_places: places,
    device_compatibility: [...panel.devices],
  };
}

function completionCodes(
  codes: StudySettings["codes"],
  { panel, places }: { readonly panel: PanelSettings; readonly places: number },
): JsonObject[] {
  const paid = panel.screenedOutPay;
  const returned = (reason: string): JsonObject => ({
    action: "REQUEST_RETURN",
    return_reason: reason,
  });
  const kinds: Readonly<Record<Outcome, readonly [type: string, action: JsonObject]>> = {
    finished: ["COMPLETED", { action: "MANUALLY_REVIEW" }],
    declined: ["NO_CONSENT", returned("Did not consent.")],
    screenedOut:
      paid === undefined
        ? ["OTHER", returned("Not eligible for this study.")]
        : [
            "FIXED_SCREENOUT",
            {
              action: "FIXED_SCREEN_OUT_PAYMENT",
              fixed_screen_out_reward: Math.round(100 * paid),
              slots: places,
            },
          ],
    full: ["OTHER", returned("The study has enough participants.")],
    left: ["OTHER", returned("Left the study before its end.")],
    failed: ["FAILED_ATTENTION_CHECK", { action: "MANUALLY_REVIEW" }],
  };
  return (Object.keys(kinds) as Outcome[]).flatMap((outcome): JsonObject[] => {
    const code = codeIn(codes[outcome]);
    const [type, action] = kinds[outcome];
    return code === undefined
      ? []
      : [{ code, code_type: type, actor: "participant", actions: [action] }];
  });
}

const schema =
  "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd";

/**
 * The question of a HIT that shows a study in a frame, as MTurk's CreateHIT takes it (ExternalQuestion of the AWS MTurk API
 * reference). MTurk adds assignmentId, hitId, workerId and turkSubmitTo to the address.
 *
 * @param url where participants open the study, by https.
 */
export const externalQuestion = (url: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ExternalQuestion xmlns="${schema}">
  <ExternalURL>${xmlText(url)}</ExternalURL>
  <FrameHeight>0</FrameHeight>
</ExternalQuestion>
`;
