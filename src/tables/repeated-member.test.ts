import { expect, test } from "vitest";
import { memberTwice } from "./repeated-member.js";

const repeated = (content: string) => memberTwice(content, JSON.parse(content));

test("finds the name that stands twice, however it is written", () => {
  expect(repeated('{"a":1,"b":2,"a":1}')).toBe("a");
  expect(repeated('{ "x" : 1 , "\\u0078" : 2 }')).toBe("x");
  expect(repeated('{"a":{"b":1,"b":2},"c":[]}')).toBe("b");
  expect(repeated('[{"a":1,"a":2},{}]')).toBe("a");
  expect(repeated('{"q\\"":1,"\\\\":2,"\\\\":3}')).toBe("\\");
});

test("is not misled by what stands in texts, deeper or in other members", () => {
  expect(repeated('{"a":{"a":1,"b":[{"a":":"}]},"b":"a\\":{\\\\","c":[":","{"]}')).toBeUndefined();
  expect(repeated("{}")).toBeUndefined();
});
