import { fromEnv } from '@aws-sdk/credential-provider-env';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type * as z from 'zod/mini';
import type { attachmentEnvironment } from '#shared/config/environment';
import { organizationIdOf, type UploadId, uploadByteLength } from '#shared/tokens/resource-id';

// How long an upload is kept: `infra/constructs/stores/attachments-bucket.ts`.

/** Where and how the caller puts the bytes: exactly so many, of exactly this type, once. */
export type UploadTicket = {
  readonly uploadId: UploadId;
  readonly url: string;
  readonly method: 'PUT';
  /** To be sent as they are, since they are part of the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** Until when the bytes are taken, epoch milliseconds. */
  readonly expiresAt: number;
};

export type UploadedContent = {
  readonly bytes: Uint8Array;
  /** As the caller stated it when it asked for the ticket. */
  readonly contentType: string | undefined;
};

export type UploadStoreSettings = {
  /** Where the bucket is, without a trailing slash: S3's address of it, or that of what stands in for S3. */
  readonly bucketUrl: string;
  readonly region: string;
};

const ticketSeconds = 900;
const fetchTimeoutMs = 8_000;

/**
 * Reaches the bucket of uploaded attachments by two signed requests. An SDK client would be a third of each
 * sending function's bundle.
 */
export function createUploadStore(settings: UploadStoreSettings) {
  const signer = new SignatureV4({
    service: 's3',
    region: settings.region,
    credentials: fromEnv(),
    sha256: Sha256,
    // Other than the rest of AWS, S3 signs the path as it is (S3 API reference, "Signature calculations").
    uriEscapePath: false,
  });

  async function issueTicket(
    uploadId: UploadId,
    contentType: string,
    now: number,
  ): Promise<UploadTicket> {
    const headers = {
      'content-type': contentType,
      'content-length': String(uploadByteLength(uploadId)),
      // An upload never changes, so that an idempotency key stands for its content.
      'if-none-match': '*',
    };
    const request = requestFor(settings, uploadId, 'PUT', headers);
    const signingDate = new Date(now);
    const signed = await signer.presign(request, { expiresIn: ticketSeconds, signingDate });
    const url = `${urlOf(request)}?${queryOf(signed.query ?? {})}`;
    return { uploadId, url, method: 'PUT', headers, expiresAt: now + ticketSeconds * 1_000 };
  }

  /** The uploaded bytes; `undefined` when they never came, or are gone. */
  async function fetchUpload(uploadId: UploadId): Promise<UploadedContent | undefined> {
    const request = requestFor(settings, uploadId, 'GET', {});
    const { headers } = await signer.sign(request);
    const signal = AbortSignal.timeout(fetchTimeoutMs);
    const response = await fetch(urlOf(request), { headers, signal });
    return contentOf(response, uploadByteLength(uploadId));
  }

  return { issueTicket, fetchUpload };
}

async function contentOf(
  response: Response,
  byteLength: number,
): Promise<UploadedContent | undefined> {
  const { ok, status, headers } = response;
  const hasLength = Number(headers.get('content-length') ?? -1) === byteLength;
  if (ok && hasLength) {
    return { bytes: await response.bytes(), contentType: headers.get('content-type') ?? undefined };
  }
  await response.body?.cancel();
  // S3 answers 403 for a missing object to a caller that may not list the bucket ("GetObject").
  const isMissing = ok || status === 404 || status === 403;
  if (isMissing) return undefined;
  throw new Error(`S3 answered ${status}`);
}

/** The key of an upload is the id of its organization, then its own. */
function requestFor(
  { bucketUrl }: UploadStoreSettings,
  uploadId: UploadId,
  method: 'GET' | 'PUT',
  headers: Readonly<Record<string, string>>,
) {
  const key = `${organizationIdOf(uploadId)}/${uploadId}`;
  const { protocol, host, hostname, port, pathname } = new URL(`${bucketUrl}/${key}`);
  return {
    method,
    protocol,
    hostname,
    path: pathname,
    query: {},
    headers: { ...headers, host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
    ...(port !== '' && { port: Number(port) }),
  };
}

const urlOf = ({ protocol, headers, path }: ReturnType<typeof requestFor>): string =>
  `${protocol}//${headers.host}${path}`;

/** Percent-encodes the query as it was signed (RFC 3986). `URLSearchParams` does it differently. */
const queryOf = (query: Readonly<Record<string, string | readonly string[] | null>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');

/** Opens the bucket of uploaded attachments. */
export const openUploadStore = (environment: z.output<typeof attachmentEnvironment>) =>
  createUploadStore({
    bucketUrl: environment.ATTACHMENTS_BUCKET_URL,
    region: environment.AWS_REGION,
  });
export type UploadStore = ReturnType<typeof openUploadStore>;
