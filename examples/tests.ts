// Fakes of every kind of model, for tests of your own.

import { clipScore, localizedVqaScore, score } from "touchstone-t2i";
import {
  fakeAnswerer,
  fakeDecomposer,
  fakeEncoder,
  fakeGenerator,
  fakeLocalizer,
  fakePicture,
  fakeRewardModel,
  scriptedChat,
  withTokens,
} from "touchstone-t2i/testing";

const image = fakePicture({ colour: [200, 0, 0] });
console.log(await score({ image, text: "red", metric: clipScore({ model: fakeEncoder() }) }));
const model = fakeAnswerer(() => 0.9);
const localised = localizedVqaScore({
  model,
  localizer: fakeLocalizer({ entities: ["ball"] }),
  decomposer: fakeDecomposer({ "a red ball": [{ entity: "ball", attributes: ["red"] }] }),
});
console.log((await score({ image, text: "a red ball", metric: localised })).status);
const { model: chat, asked } = scriptedChat("yes", withTokens({ Yes: 0.8, No: 0.2 }));
console.log((await chat.chat({ messages: [] })).text, asked.length); // yes 1
export const others = [fakeGenerator(), fakeRewardModel()];
