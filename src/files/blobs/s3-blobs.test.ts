import { expect, test } from "vitest";
import { type Fault, misbehavingS3, testKeys } from "../../../test/support/misbehaving-s3.js";
import { sha256 } from "./blob-address.js";
import { S3Blobs } from "./s3-blobs.js";

const bytes = new Uint8Array(200_000).map((_, at) => at % 251);
const hash = sha256(bytes);
const object = `/images/runs/${hash.slice(0, 2)}/${hash}.png`;
const blobs = () =>
  new S3Blobs({ bucket: "images", prefix: "runs", longestWait: 1_000, silentFor: 300 });

const away: Fault = { status: 503, code: "SlowDown" };

test("what is there is not sent again: a second writer asks for its checksum alone", async () => {
  const { calls } = await misbehavingS3();
  await blobs().write(bytes, "image/png");
  expect(calls).toEqual([`HEAD ${object}`, `PUT ${object}`]);
  await blobs().write(bytes, "image/png");
  expect(calls).toEqual([`HEAD ${object}`, `PUT ${object}`, `HEAD ${object}`]);
  expect(await blobs().problemOf(hash)).toBeUndefined();
  expect(calls.at(-1)).toBe(`HEAD ${object}`);
});

test("where no checksum is told, the object is read and hashed", async () => {
  const { calls, objects } = await misbehavingS3({ tellsChecksums: false });
  await blobs().write(bytes, "image/png");
  await blobs().write(bytes, "image/png");
  expect(calls.filter((call) => call.startsWith("PUT"))).toHaveLength(1);
  objects.set(
    object,
    bytes.map((one) => one ^ 1),
  );
  expect(await blobs().problemOf(hash)).toContain(
    `s3://images/runs/${hash.slice(0, 2)}/${hash}.png`,
  );
  await blobs().write(bytes, "image/png");
  expect(Buffer.compare(objects.get(object) ?? bytes.slice(1), bytes)).toBe(0);
});

test.each<[string, Record<string, readonly Fault[]>]>([
  ["asks to slow down", { PUT: [away, away], GET: [away], HEAD: [away] }],
  ["fails within", { PUT: [{ status: 500, code: "InternalError" }], GET: [away] }],
  ["falls silent", { HEAD: [away], PUT: ["silence"], GET: ["silence"] }],
  ["cuts the upload off", { PUT: ["cut", "cut"] }],
  ["cuts its answer off", { GET: ["half-answer"] }],
])("a service that %s is asked again; an object is whole or not there", async (_, faults) => {
  const { objects } = await misbehavingS3({ faults });
  await blobs().write(bytes, "image/png");
  expect([...objects.keys()]).toEqual([object]);
  expect(Buffer.compare(objects.get(object) ?? bytes.slice(1), bytes)).toBe(0);
  expect(Buffer.compare(await blobs().read(hash), bytes)).toBe(0);
});

test.each<[string, Fault, string, RegExp]>([
  ["its bucket is not there", { status: 404, code: "NoSuchBucket" }, "input", /no such bucket/],
  ["the keys have no right", { status: 403, code: "AccessDenied" }, "input", /no right/],
  ["the key is unknown", { status: 403, code: "InvalidAccessKeyId" }, "input", /not know the key/],
  ["the secret is wrong", { status: 403, code: "SignatureDoesNotMatch" }, "input", /secret is not/],
  ["the region is another", { status: 301, code: "PermanentRedirect" }, "input", /another region/],
])("an error says that %s, and no key or secret", async (_, fault, code, message) => {
  await misbehavingS3({ faults: { PUT: [fault], GET: [fault, fault] } });
  for (const work of [() => blobs().write(bytes, "image/png"), () => blobs().read(hash)]) {
    const error = await work().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(String(error)).toContain(`s3://images/runs/${hash.slice(0, 2)}/${hash}.png`);
    for (const secret of Object.values(testKeys)) {
      expect(`${error} ${Object(error).hint}`).not.toContain(secret);
    }
  }
  // Nothing follows about the image.
  await expect(blobs().problemOf(hash)).rejects.toMatchObject({ code });
});

test("a service that stays away is given up in time, and no image counts as gone", async () => {
  const many: Fault[] = Array.from({ length: 50 }, () => away);
  await misbehavingS3({ faults: { HEAD: many } });
  await expect(blobs().problemOf(hash)).rejects.toMatchObject({
    code: "store",
    message: expect.stringContaining("the service is away (HTTP 503)"),
  });
});

test("where nobody listens that is said at once, and an object that is not there is named", async () => {
  const server = await misbehavingS3();
  await expect(blobs().read(hash)).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining(`s3://images/runs/${hash.slice(0, 2)}/${hash}.png`),
  });
  server.close();
  process.env.AWS_ENDPOINT_URL = "http://127.0.0.1:1";
  const slow = new S3Blobs({ bucket: "images", prefix: "", longestWait: 1e9 });
  await expect(slow.read(hash)).rejects.toMatchObject({ code: "store" });
});
