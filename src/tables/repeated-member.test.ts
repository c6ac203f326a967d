import { expect, test } from "vitest";
import { repeatedMember } from "./repeated-member.js";

const repeated = (content: string) =>
  repeatedMember(content, Object.keys(JSON.parse(content)).length);

test("finds the name that stands twice, however it is written", () => {
  expect(repeated('{"a":1,"b":2,"a":1}')).toBe("a");
  expect(repeated('{ "x" : 1 , "\\u0078" : 2 }')).toBe("x");
  expect(repeated('{"q\\"":1,"\\\\":2,"\\\\":3}')).toBe("\\");
});

test("is not misled by what stands in texts, deeper or in other members", () => {
  expect(repeated('{"a":{"a":1,"b":[{"a":":"}]},"b":"a\\":{\\\\","c":[":","{"]}')).toBeUndefined();
  expect(repeated("{}")).toBeUndefined();
});
