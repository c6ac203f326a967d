import { expect, test } from "vitest";
import { tableOf } from "./bytes.js";
import { optionalText } from "./columns.js";
import { tableRows } from "./table-rows.js";

/** Written by pyarrow: times of micro- and nanoseconds, days, and times within structures. */
const parquet = Buffer.from(
  "UEFSMRUAFTwVPCwVBhUAFQYVBhwAAAACAAAABgEA6LGMYRcGAAHosYxhFwYA//////////8VABUsFSwsFQYVABUGFQYcAAAAAgAAAAMDAEDylg1VyxcBQPKWDVXLFxUAFRwVHCwVBhUAFQYVBhwAAAACAAAAAwOETQAA/////xUAFS4VLiwVBhUAFQYVBhwAAAADAAAAAwoAAeixjGEXBgAA6LGMYRcGABUEGWw1ABgGc2NoZW1hFQgAFQQlAhgCdXMlFEyMEhwsAAAAAAAVBCUCGAJuc2yMEhw8AAAAAAAVAiUCGANkYXklDExsAAAANQIYAmluFQIAFQQlAhgCdXMlFEyMEhwsAAAAAAAWBhkcGUwmABwVBBklBgAZGAJ1cxUAFgYWYhZiJghJHBUAFQAVAgA8KQYZJgAGAAAAJgAcFQQZJQYAGRgCbnMVABYGFlIWUiZqSRwVABUAFQIAPCkGGSYCBAAAACYAHBUCGSUGABkYA2RheRUAFgYWQhZCJrwBSRwVABUAFQIAPCkGGSYCBAAAACYAHBUEGSUGABkoAmluAnVzFQAWBhZUFlQm/gFJHBUAFQAVAgA8KQYZNgIABAAAABbKAhYGJggWygIAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRlMHAAAHAAAHAAAHAAAAFkBAABQQVIx",
  "base64",
);

test("times that differ by less than a millisecond are different names, and days have no time", async () => {
  const columns = { us: optionalText, ns: optionalText, day: optionalText, inner: optionalText };
  const rows: unknown[] = [];
  const source = tableOf("t.parquet", parquet);
  for await (const { row } of tableRows({ source, columns, map: { inner: "in.us" } })) {
    rows.push({ ...row });
  }
  const [whole, micro] = ["2024-05-01T10:00:00.000Z", "2024-05-01T10:00:00.000001Z"];
  expect(rows).toEqual([
    { us: whole, ns: whole, day: "2024-05-01", inner: micro },
    { us: micro, ns: "2024-05-01T10:00:00.000000001Z", day: "1969-12-31", inner: whole },
    { us: "1969-12-31T23:59:59.999999Z", ns: undefined, day: undefined, inner: undefined },
  ]);
});
