import { xmlText } from "../../core/xml-text.js";

const schema =
  "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd";

/**
 * The question of a HIT that shows a study in a frame, as MTurk's CreateHIT takes it (ExternalQuestion of the AWS MTurk API
 * reference). MTurk adds assignmentId, hitId, workerId and turkSubmitTo to the address.
 *
 * @param url where participants open the study, by https.
 */
export const externalQuestion = (url: string, frameHeight = 0): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ExternalQuestion xmlns="${schema}">
  <ExternalURL>${xmlText(url)}</ExternalURL>
  <FrameHeight>${frameHeight}</FrameHeight>
</ExternalQuestion>
`;
