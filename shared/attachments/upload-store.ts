import { fromEnv } from '@aws-sdk/credential-provider-env';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type * as z from 'zod/mini';
import type { attachmentEnvironment } from '#shared/config/environment';
import { organizationIdOf, type UploadId, uploadByteLength } from '#shared/tokens/resource-id';

// How long an upload is kept: `infra/constructs/stores/attachments-bucket.ts`.

/** Where and how the caller uploads: exactly this many bytes, of exactly this type, once. */
export type UploadTicket = {
  readonly uploadId: UploadId;
  readonly url: string;
  readonly method: 'PUT';
  /** To be sent verbatim: they are part of the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
};

export type UploadedContent = {
  readonly bytes: Uint8Array;
  /** As stated when the ticket was requested. */
  readonly contentType: string | undefined;
};

export type UploadStoreSettings = {
  /** Without a trailing slash: S3's address of the bucket, or that of its local substitute. */
  readonly bucketUrl: string;
  readonly region: string;
};

const ticketSeconds = 900;
const fetchTimeoutMs = 8_000;

/**
 * Reaches the upload bucket with two signed requests. An SDK client would be a third of each sending function's bundle.
 */
export function createUploadStore(settings: UploadStoreSettings) {
  const signer = new SignatureV4({
    service: 's3',
    region: settings.region,
    credentials: fromEnv(),
    sha256: Sha256,
    // Unlike the rest of AWS, S3 signs the path unescaped (S3 API reference, "Signature calculations").
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
      // An upload never changes, so an idempotency key pins its content.
      'if-none-match': '*',
    };
    const request = requestFor(settings, uploadId, 'PUT', headers);
    const signingDate = new Date(now);
    const signed = await signer.presign(request, { expiresIn: ticketSeconds, signingDate });
    const url = `${urlOf(request)}?${queryOf(signed.query ?? {})}`;
    return { uploadId, url, method: 'PUT', headers, expiresAt: now + ticketSeconds * 1_000 };
  }

  /** `undefined` if the upload never arrived or is gone. */
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

/** An upload's key is its organization's id, then its own. */
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

/** Percent-encodes the query exactly as signed (RFC 3986). `URLSearchParams` encodes differently. */
const queryOf = (query: Readonly<Record<string, string | readonly string[] | null>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');

export const openUploadStore = (environment: z.output<typeof attachmentEnvironment>) =>
  createUploadStore({
    bucketUrl: environment.ATTACHMENTS_BUCKET_URL,
    region: environment.AWS_REGION,
  });
export type UploadStore = ReturnType<typeof openUploadStore>;
