export {
  fakeAnswerer,
  fakeDecomposer,
  fakeEncoder,
  fakeGenerator,
  fakeLocalizer,
  fakePicture,
  fakeRewardModel,
} from "./fake-models.js";
export { scriptedChat, withTokens } from "./scripted-chat.js";
