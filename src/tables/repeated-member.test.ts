import { expect, test } from "vitest";
import { tableOf } from "./bytes.js";
import { score, text } from "./columns.js";
import { membersTwice } from "./repeated-member.js";
import { readTable } from "./table.js";

const repeated = (content: string) => membersTwice(content, JSON.parse(content))[0]?.name;

test("finds the name that stands twice, however it is written", () => {
  expect(repeated('{"a":1,"b":2,"a":1}')).toBe("a");
  expect(repeated('{ "x" : 1 , "\\u0078" : 2 }')).toBe("x");
  expect(repeated('{"a":{"b":1,"b":2},"c":[]}')).toBe("b");
  expect(repeated('[{"a":1,"a":2},{}]')).toBe("a");
  expect(repeated('{"q\\"":1,"\\\\":2,"\\\\":3}')).toBe("\\");
});

test("names the member in which it stands", () => {
  const content = '{"a":{"x":1},"b":[{"c":{"d":1,"d":2}}]}';
  expect(membersTwice(content, JSON.parse(content))).toEqual([{ name: "d", within: "b" }]);
});

test("is not misled by what stands in texts, deeper or in other members", () => {
  expect(repeated('{"a":{"a":1,"b":[{"a":":"}]},"b":"a\\":{\\\\","c":[":","{"]}')).toBeUndefined();
  expect(repeated("{}")).toBeUndefined();
});

test("refuses a row of JSONL only where the cell is read that has it", async () => {
  const read = (row: string) =>
    readTable({
      source: tableOf("a.jsonl", `{"item":"a","score":1}\n${row}\n{"item":"c","score":3}\n`),
      shape: { kinds: { item: text, score } },
    });
  const unread = await read('{"item":"b","score":2,"log":{"x":1,"x":2}}');
  expect([...(unread.columns.score ?? [])]).toEqual([1, 2, 3]);
  const log = '"log":{"x":1,"x":2,"y":1,"y":2}';
  for (const row of [
    '{"item":"b","score":{"x":1,"x":2}}',
    '{"item":"b","score":2,"score":3}',
    `{"item":"b",${log},"score":2,"score":3}`,
    `{"item":"b",${log},"score":{"x":1,"x":2}}`,
  ]) {
    await expect(read(row)).rejects.toMatchObject({
      problems: [expect.stringMatching(/"(x|score)" is there twice.*line 2/)],
    });
  }
});
