import type {
  ChatModel,
  Decomposer,
  Detector,
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
  Detector: Detector;
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
  Detector: "detect",
  Decomposer: "decompose",
  ChatModel: "chat",
};

/** Abilities of a model of each contract, as a message says them. */
export const contractWords: Readonly<Record<ContractName, string>> = {
  ImageEmbedder: "embeds images",
  TextEmbedder: "embeds texts",
  VisualQuestionAnswering: "answers questions about images",
  RewardModel: "gives images a reward",
  ImageGenerator: "makes images",
  Localizer: "finds entities in images",
  Detector: "gives boxes of entities",
  Decomposer: "takes prompts apart",
  ChatModel: "answers messages of text and images",
};

/** Contracts that a model keeps, told by its methods. */
export const contractsOf = (model: Model): ContractName[] =>
  contractNames.filter((name) => keeps(model, name));

export const contractNames = Object.keys(methodOf) as ContractName[];

/** Whether a model keeps a contract. */
export const keeps = <Name extends ContractName>(
  model: object,
  contract: Name,
): model is Contracts[Name] => methodOf[contract] in model;
