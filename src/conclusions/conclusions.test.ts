import { expect, test } from "vitest";
import { tableOf } from "../tables/bytes.js";
import { conclude } from "./conclusions.js";

test("a conclusion that there is none of is refused by those that there are", async () => {
  const table = tableOf("scores.csv", "id\n1\n");
  await expect(conclude("agreeement", table)).rejects.toThrow(
    /^Expected one of contrastive, .*agreement, .* but received "agreeement"$/,
  );
});
