import { setTimeout as pause } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { once } from "../../core/cache.js";
import { InputError, isMissingPackage, TouchstoneError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import { systemCode } from "../file-error.js";
import { mostImageBytes } from "../regular-file.js";

type Library = typeof import("@aws-sdk/client-s3");

export interface BucketOptions {
  readonly bucket: string;
  /** Before the names of all objects, without a slash at its ends; "" for none. */
  readonly prefix: string;
  /** How long a service is waited for that does not answer or asks to slow down, in milliseconds. */
  readonly longestWait?: number;
  /** After how many milliseconds without a byte a call is made anew. */
  readonly silentFor?: number;
}

/** An object as the service describes it; it may keep no SHA-256. */
interface Head {
  readonly length: number;
  readonly hash: Hash | undefined;
}

const twoMinutes = 120_000;
const longestPause = 5_000;
const connectWithin = 10_000;
const mostNames = 10;

/**
 * Objects in a bucket of S3 or a service that speaks as it does, below a prefix. Region, endpoint and
 * keys are those of the environment, as all programs of AWS read them. A service that does not answer or
 * asks to slow down is waited for, two minutes at most.
 */
export class S3Bucket {
  readonly #options: BucketOptions;
  readonly #client: () => Promise<{ readonly library: Library; readonly client: S3Client }>;
  #wasReached = false;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#client = once(() => connected(options));
  }

  /** For people and messages. */
  addressOf(name: string): string {
    return `s3://${this.#options.bucket}/${this.#keyOf(name)}`;
  }

  /** `undefined` where there is no such object. */
  async head(name: string): Promise<Head | undefined> {
    return this.#asked(name, "read", async ({ library, client }, at) => {
      const found = await client.send(
        new library.HeadObjectCommand({ ...at, ChecksumMode: "ENABLED" }),
      );
      const { ContentLength: length = 0, ChecksumSHA256: checksum } = found;
      // Of one that came in parts it is the checksum of checksums, and ends with their number.
      const isOfWhole = checksum !== undefined && !checksum.includes("-");
      const hash = isOfWhole
        ? (Buffer.from(checksum, "base64").toString("hex") as Hash)
        : undefined;
      return { length, hash };
    });
  }

  /** `undefined` where there is no such object. @throws InputError for one that is no image, by its size. */
  async get(name: string): Promise<Uint8Array | undefined> {
    return this.#asked(name, "read", async ({ library, client }, at) => {
      const { Body: body, ContentLength: length = 0 } = await client.send(
        new library.GetObjectCommand(at),
      );
      if (length > mostImageBytes) {
        throw new InputError(
          `Could not read ${this.addressOf(name)}: it has ${Math.round(length / 1e6)} MB, and more than ${mostImageBytes / 1e6} MB are not read`,
        );
      }
      return body?.transformToByteArray();
    });
  }

  /** Keeps an object, whole or not at all; what stood there is replaced. */
  async put(
    name: string,
    {
      bytes,
      mediaType,
      hash,
    }: { readonly bytes: Uint8Array; readonly mediaType: string; readonly hash: Hash },
  ): Promise<void> {
    await this.#asked(name, "write", async ({ library, client }, at) => {
      await client.send(
        new library.PutObjectCommand({
          ...at,
          Body: bytes,
          ContentType: mediaType,
          ChecksumAlgorithm: "SHA256",
          ChecksumSHA256: Buffer.from(hash, "hex").toString("base64"),
        }),
      );
      return true;
    });
  }

  /** The names of objects that begin so, at most ten. */
  async names(start: string): Promise<readonly string[]> {
    const found = await this.#asked(start, "list", async ({ library, client }, { Bucket, Key }) => {
      const { Contents: objects = [] } = await client.send(
        new library.ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: mostNames }),
      );
      return objects.flatMap(({ Key: key }) => (key === undefined ? [] : [key]));
    });
    return found ?? [];
  }

  #keyOf(name: string): string {
    const { prefix } = this.#options;
    return prefix === "" ? name : `${prefix}/${name}`;
  }

  /** Does something, and again while the service is away; undefined where the object is not there. */
  async #asked<Result>(
    name: string,
    doing: "read" | "write" | "list",
    work: (
      connection: { readonly library: Library; readonly client: S3Client },
      at: { readonly Bucket: string; readonly Key: string },
    ) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { bucket: Bucket, longestWait = twoMinutes } = this.#options;
    for (let waited = 0, wait = 100; ; waited += wait, wait = Math.min(2 * wait, longestPause)) {
      try {
        const result = await work(await this.#client(), { Bucket, Key: this.#keyOf(name) });
        this.#wasReached = true;
        return result;
      } catch (error) {
        this.#wasReached ||= wasTaken(error);
        if (isNotThere(error)) return undefined;
        // What was never reached has a wrong address rather than a bad moment.
        if (!isAwayFrom(error) || !this.#wasReached || waited >= longestWait) {
          throw s3Error(error, { doing, address: this.addressOf(name) });
        }
        await pause(wait);
      }
    }
  }
}

async function connected({ silentFor = 30_000 }: BucketOptions) {
  const library = await import("@aws-sdk/client-s3").catch((cause: unknown) => {
    throw isMissingPackage(cause, "@aws-sdk/client-s3") ? notInstalled(cause) : cause;
  });
  const client = new library.S3Client({
    // Services beside AWS's have buckets in the path of an address; AWS's own have both.
    forcePathStyle: true,
    // What is read is compared with its name; what is written says its SHA-256.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectWithin,
      requestTimeout: silentFor,
      socketTimeout: silentFor,
      throwOnRequestTimeout: true,
    },
  });
  return { library, client };
}

const notInstalled = (cause: unknown): InputError =>
  new InputError("Images on s3:// need the package @aws-sdk/client-s3", {
    hint:
      "It is not installed with touchstone, since a folder or a database needs no other service: " +
      "npm install @aws-sdk/client-s3",
    cause,
  });

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

/** The HTTP status of a refusal; undefined where no answer came. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  return "httpStatusCode" in metadata && typeof metadata.httpStatusCode === "number"
    ? metadata.httpStatusCode
    : undefined;
}

const nobodyThere = ["ECONNREFUSED", "EHOSTUNREACH", "EAI_AGAIN"];

/** Tests if a server took the call before it failed. */
const wasTaken = (error: unknown): boolean => !nobodyThere.includes(systemCode(error) ?? "");

/** Tests if the object is missing; a missing bucket is another error. */
const isNotThere = (error: unknown): boolean => ["NoSuchKey", "NotFound"].includes(nameOf(error));

/** Tests if the service did not answer, or asked to try again later. */
function isAwayFrom(error: unknown): boolean {
  if (error instanceof TouchstoneError) return false;
  const status = statusOf(error) ?? 0;
  return (
    status >= 500 ||
    status === 429 ||
    ["SlowDown", "RequestTimeout", "TimeoutError", "Throttling"].includes(nameOf(error)) ||
    [...nobodyThere, "ECONNRESET", "EPIPE", "ETIMEDOUT"].includes(systemCode(error) ?? "") ||
    // The answer was cut off.
    (error instanceof Error && /aborted|premature close|socket hang up/i.test(error.message))
  );
}

const keysHint =
  "Keys come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN)";

const refusals: Readonly<Record<string, { readonly reason: string; readonly hint: string }>> = {
  NoSuchBucket: {
    reason: "there is no such bucket",
    hint: "Make the bucket first: touchstone makes none.",
  },
  AccessDenied: {
    reason: "the keys have no right to",
    hint: "docs/study-servers.md lists the rights: s3:GetObject, s3:PutObject and s3:ListBucket",
  },
  InvalidAccessKeyId: { reason: "the service does not know the key", hint: keysHint },
  SignatureDoesNotMatch: { reason: "the secret is not that of the key", hint: keysHint },
  ExpiredToken: { reason: "the session of the keys has ended", hint: keysHint },
  CredentialsProviderError: { reason: "no keys were found", hint: keysHint },
  PermanentRedirect: {
    reason: "the bucket is in another region",
    hint: "AWS_REGION names its region.",
  },
  AuthorizationHeaderMalformed: {
    reason: "the bucket is in another region",
    hint: "AWS_REGION names its region.",
  },
};

/** Turns an error of S3 into one for people. It leaves out the service's message, which may repeat what was sent. */
function s3Error(
  error: unknown,
  { doing, address }: { readonly doing: "read" | "write" | "list"; readonly address: string },
): unknown {
  if (error instanceof TouchstoneError || !(error instanceof Error)) return error;
  if (isAwayFrom(error)) {
    const status = statusOf(error);
    const said = systemCode(error) ?? (status === undefined ? error.name : `HTTP ${status}`);
    return new TouchstoneError(
      "store",
      `Could not ${doing} ${address}: the service is away (${said})`,
      {
        hint: "Is AWS_ENDPOINT_URL right, and the service up? Finished work is kept.",
        cause: error,
      },
    );
  }
  if (systemCode(error) === "ENOTFOUND") {
    return new InputError(`Could not ${doing} ${address}: its service has no address`, {
      hint: "AWS_ENDPOINT_URL and AWS_REGION say where it is.",
      cause: error,
    });
  }
  if (error.message === "Region is missing") {
    return new InputError(`Could not ${doing} ${address}: no region is given`, {
      hint: "AWS_REGION names the bucket's region; us-east-1 for most services beside AWS's",
    });
  }
  const status = statusOf(error);
  const denied = status === 403 || status === 401 ? refusals.AccessDenied : undefined;
  const refused = refusals[error.name] ?? (status === 301 ? refusals.PermanentRedirect : denied);
  const { reason, hint } = refused ?? { reason: `the service says ${error.name}`, hint: keysHint };
  return new InputError(`Could not ${doing} ${address}: ${reason}`, { hint, cause: error });
}
