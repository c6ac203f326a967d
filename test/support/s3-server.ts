import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { pythonPackages } from "./python-packages.js";

/** 114 MB, half a minute. */
const moto = await pythonPackages("moto-5.2.5", [
  "moto[s3]==5.2.5",
  "flask==3.1.3",
  "flask-cors==6.0.5",
]);

/** Why tests that need an S3 server are skipped here; undefined where they are not. */
export const noS3: string | undefined = moto.missing;

const keys = { AWS_ACCESS_KEY_ID: "tests", AWS_SECRET_ACCESS_KEY: "tests-only-secret" };

/** An S3 server of the tests' own (moto), on a free port; while it stands the environment leads to it. */
export class S3Server {
  readonly url: string;
  readonly client: S3Client;
  readonly #child: ChildProcess;
  readonly #restore: () => void;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    this.#restore = setVariables({ ...keys, AWS_REGION: "us-east-1", AWS_ENDPOINT_URL: url });
    this.client = new S3Client({ forcePathStyle: true });
  }

  static async start(): Promise<S3Server> {
    const child = spawn("python3", ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"], {
      env: { ...process.env, PYTHONPATH: moto.folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    for await (const chunk of child.stderr ?? []) {
      said += String(chunk);
      const url = /Running on (http:\/\/\S+)/.exec(said)?.[1];
      if (url === undefined) continue;
      child.stderr?.resume();
      return new S3Server(child, url);
    }
    throw new Error(`The S3 server did not begin: ${said}`);
  }

  async newBucket(name: string): Promise<string> {
    await this.client.send(new CreateBucketCommand({ Bucket: name }));
    return name;
  }

  /** The names of all objects of a bucket. */
  async names(bucket: string): Promise<readonly string[]> {
    const { Contents: found = [] } = await this.client.send(
      new ListObjectsV2Command({ Bucket: bucket }),
    );
    return found.map(({ Key: key = "" }) => key);
  }

  async put(bucket: string, key: string, bytes: Uint8Array): Promise<void> {
    await this.client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }));
  }

  async get(bucket: string, key: string): Promise<Uint8Array> {
    const { Body: body } = await this.client.send(
      new GetObjectCommand({ Bucket: bucket, Key: key }),
    );
    return (await body?.transformToByteArray()) ?? new Uint8Array();
  }

  async stop(): Promise<void> {
    this.client.destroy();
    this.#restore();
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }
}

/** Sets variables of the process, as drivers read them; returns what puts them back. */
export function setVariables(values: Readonly<Record<string, string>>): () => void {
  const quiet = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
  const all = Object.entries({ ...quiet, ...values });
  const before = all.map(([name]) => [name, process.env[name]] as const);
  for (const [name, value] of all) process.env[name] = value;
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
