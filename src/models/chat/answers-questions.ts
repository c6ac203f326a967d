import { allEnded } from "../../core/all-ended.js";
import {
  type CallOptions,
  type ChatModel,
  type ModelIdentity,
  type Picture,
  turn,
  type VisualQuestionAnswering,
} from "../../core/models.js";
import { chatPrompts } from "./chat-prompts.js";
import { type YesNoWay, yesNo } from "./yes-no.js";

/**
 * A chat model that also answers questions about images with P(yes), one call for each question.
 *
 * @param way where P(yes) comes from: log-probabilities where not given. Any other way is named in
 *   the identity's revision (`samples-5`, `verbalized`), since its numbers are of another kind.
 * @param templates the wording that the model needs around a text, by metric
 */
export function answersQuestions<Chat extends ChatModel>(
  model: Chat,
  {
    way = { kind: "tokens" },
    templates = model.templates,
  }: {
    readonly way?: YesNoWay | undefined;
    readonly templates?: Readonly<Record<string, string>> | undefined;
  } = {},
): ChatModel & VisualQuestionAnswering {
  const instruction =
    chatPrompts()[way.kind === "verbalized" ? "verbalizedProbability" : "yesOrNo"];
  return {
    identity: identityWith(model.identity, way),
    ...(templates === undefined ? {} : { templates }),
    chat: (request, options) => model.chat(request, options),
    async probabilityOfYes(image: Picture, questions: readonly string[], options?: CallOptions) {
      const answers = questions.map(async (question) => {
        const request = {
          messages: [turn("system", instruction), turn("user", image, question)],
        };
        const answer = await yesNo({ model, request, way }, options);
        options?.trace?.({ kind: "yes-no", question, ...answer });
        return answer.probability;
      });
      return allEnded(answers);
    },
  };
}

function identityWith(identity: ModelIdentity, way: YesNoWay): ModelIdentity {
  if (way.kind === "tokens") return identity;
  const { temperature = 1, count } = way.kind === "samples" ? way : { count: 0 };
  const name =
    way.kind === "verbalized"
      ? "verbalized"
      : `samples-${count}${temperature === 1 ? "" : `-at-${temperature}`}`;
  const { revision } = identity;
  return { ...identity, revision: revision === undefined ? name : `${revision}+${name}` };
}
