import { expect, test } from "vitest";
import { isIdentifier, raterColumns } from "./rater-names.js";

test.each([
  ...["id", "image_id", "ranking-id", "imageId", "worker ID", "uid"],
  ...["", "Unnamed: 0", "Unnamed: 0.1", "column 1", "index", "level_0", "__index_level_0__"],
])("%j holds names of things", (name) => expect(isIdentifier(name)).toBe(true));

test.each(["fid", "FID", "valid", "clip-score", "grid", "identity", "id_score", "column 2"])(
  "%s may be a metric",
  (name) => expect(isIdentifier(name)).toBe(false),
);

test("raters are told by their names, or by differing from people's column in a number alone", () => {
  const all = [
    ...["rater_1", "annotatorB", "human_avg", "Expert 2", "human_score_3", "workers"],
    ...["r2", "rating_3", "clip", "human_preference_score", "vqa_2", "expertise"],
  ];
  const named = all.slice(0, 6);
  expect(raterColumns(all, ["score"])).toEqual(named);
  expect(raterColumns(all, ["r1"])).toEqual([...named, "r2"]);
  expect(raterColumns(all, ["rating_avg"])).toEqual([...named, "rating_3"]);
  expect(raterColumns(all, ["rating"])).toEqual([...named, "rating_3"]);
});
