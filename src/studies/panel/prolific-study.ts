import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { xmlText } from "../../core/xml-text.js";
import type { PanelSettings, StudySettings } from "../config/study-config.js";
import { codeIn, type Outcome, panelPay } from "./panels.js";

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
