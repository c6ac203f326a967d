import type {
  ChatModel,
  Decomposer,
  ImageEmbedder,
  ImageGenerator,
  Localizer,
  Model,
  RewardModel,
  TextEmbedder,
  VisualQuestionAnswering,
} from "../core/models.js";

export interface Contracts {
  ImageEmbedder: ImageEmbedder;
  TextEmbedder: TextEmbedder;
  VisualQuestionAnswering: VisualQuestionAnswering;
  RewardModel: RewardModel;
  ImageGenerator: ImageGenerator;
  Localizer: Localizer;
  Decomposer: Decomposer;
  ChatModel: ChatModel;
}

export type ContractName = keyof Contracts;

const methodOf: Readonly<Record<ContractName, string>> = {
  ImageEmbedder: "embedImage",
  TextEmbedder: "embedText",
  VisualQuestionAnswering: "probabilityOfYes",
  RewardModel: "reward",
  ImageGenerator: "generate",
  Localizer: "localize",
  Decomposer: "decompose",
  ChatModel: "chat",
};

/** What a model of each contract does, as a message says it. */
export const contractWords: Readonly<Record<ContractName, string>> = {
  ImageEmbedder: "embeds images",
  TextEmbedder: "embeds texts",
  VisualQuestionAnswering: "answers questions about images",
  RewardModel: "rewards images",
  ImageGenerator: "makes images",
  Localizer: "finds entities in images",
  Decomposer: "takes prompts apart",
  ChatModel: "answers messages of text and images",
};

/** What a model can be asked, told by its methods. */
export const contractsOf = (model: Model): ContractName[] =>
  contractNames.filter((name) => keeps(model, name));

export const contractNames = Object.keys(methodOf) as ContractName[];

/** Whether a model keeps a contract. */
export const keeps = <Name extends ContractName>(
  model: object,
  contract: Name,
): model is Contracts[Name] => methodOf[contract] in model;
