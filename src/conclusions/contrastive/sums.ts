import { pairSums } from "../sums/pair-sums.js";

export const sums = pairSums({
  name: "contrastive",
  sides: ["correct", "adversarial"],
  domain: "domain",
  only: { scale: "none" },
});
