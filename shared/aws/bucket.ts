import { fromEnv } from '@aws-sdk/credential-provider-env';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type * as z from 'zod/mini';
import type { bucketEnvironment } from '#shared/config/environment';

export type BucketSettings = {
  readonly bucketUrl: string;
  readonly region: string;
};

type Method = 'GET' | 'PUT' | 'DELETE';
type Headers = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string>>;

const callTimeoutMs = 8_000;

const signerFor = ({ region }: BucketSettings) =>
  new SignatureV4({
    service: 's3',
    region,
    credentials: fromEnv(),
    sha256: Sha256,
    // Unlike the rest of AWS, S3 signs the path unescaped (S3 API reference, "Signature calculations").
    uriEscapePath: false,
  });

/** Lets anyone make this one request. The headers are part of the signature. */
export async function presignPut(
  settings: BucketSettings,
  key: string,
  headers: Headers,
  now: number,
  expiresIn: number,
): Promise<string> {
  const request = requestFor(settings, 'PUT', key, headers, {});
  const signingDate = new Date(now);
  const signed = await signerFor(settings).presign(request, { expiresIn, signingDate });
  return `${urlOf(request)}?${queryOf(signed.query ?? {})}`;
}

/** Without the SDK: its S3 client would be a third of each sending function's bundle. */
export function openBucket(settings: BucketSettings) {
  const signer = signerFor(settings);

  /** @throws Error when S3 doesn't answer in time. The caller judges the answer. */
  async function call(
    method: Method,
    key: string,
    {
      headers: own = {},
      query = {},
      body,
      timeoutMs = callTimeoutMs,
    }: {
      readonly headers?: Headers;
      readonly query?: Query;
      readonly body?: Uint8Array;
      readonly timeoutMs?: number;
    } = {},
  ): Promise<Response> {
    const request = requestFor(settings, method, key, own, query);
    const { headers } = await signer.sign(request);
    const search = queryOf(query);
    return fetch(urlOf(request) + (search && `?${search}`), {
      method,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: new Uint8Array(body) }),
    });
  }

  return { call };
}
export type Bucket = ReturnType<typeof openBucket>;

export const bucketSettingsOf = (
  environment: z.output<typeof bucketEnvironment>,
): BucketSettings => ({
  bucketUrl: environment.ATTACHMENTS_BUCKET_URL,
  region: environment.AWS_REGION,
});

function requestFor(
  { bucketUrl }: BucketSettings,
  method: Method,
  key: string,
  headers: Headers,
  query: Query,
) {
  const { protocol, host, hostname, port, pathname } = new URL(`${bucketUrl}/${key}`);
  return {
    method,
    protocol,
    hostname,
    path: pathname,
    query: { ...query },
    headers: { ...headers, host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
    ...(port !== '' && { port: Number(port) }),
  };
}

const urlOf = ({ protocol, headers, path }: ReturnType<typeof requestFor>): string =>
  `${protocol}//${headers.host}${path}`;

/** Percent-encodes the query exactly as signed (RFC 3986). `URLSearchParams` encodes differently. */
const queryOf = (query: Readonly<Record<string, string | readonly string[] | null>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
