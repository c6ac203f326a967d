export {
  fakeAnswerer,
  fakeDecomposer,
  fakeEncoder,
  fakeGenerator,
  fakeLocalizer,
  fakePicture,
  fakeRewardModel,
  scriptedChat,
  withTokens,
} from "./fake-models.js";
