import { type Bucket, type BucketSettings, bucketSettingsOf, presignPut } from '#shared/aws/bucket';
import { capability } from '#shared/aws/capability';
import { bucketEnvironment } from '#shared/config/environment';
import { refusedBy } from '#shared/errors/refused-by';
import { organizationIdOf, type UploadId, uploadByteLength } from '#shared/tokens/resource-id';

/**
 * Allows exactly this many bytes, of exactly this type, once. How long it is kept:
 * `infra/constructs/stores/content-bucket.ts`.
 */
export type UploadTicket = {
  readonly uploadId: UploadId;
  readonly url: string;
  readonly method: 'PUT';
  /** Must be sent verbatim: they are part of the signature. */
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: number;
};

export type UploadedContent = {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
};

const ticketSeconds = 900;

export async function issueUploadTicket(
  settings: BucketSettings,
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
  const url = await presignPut(settings, keyOf(uploadId), headers, now, ticketSeconds);
  return { uploadId, url, method: 'PUT', headers, expiresAt: now + ticketSeconds * 1_000 };
}

/** @returns `undefined` if it never arrived, or is gone. */
export async function fetchUpload(
  bucket: Bucket,
  uploadId: UploadId,
): Promise<UploadedContent | undefined> {
  const response = await bucket.call('GET', keyOf(uploadId), { query: asUploaded });
  return contentOf(response, uploadByteLength(uploadId));
}

async function contentOf(
  response: Response,
  byteLength: number,
): Promise<UploadedContent | undefined> {
  const { ok, status, headers } = response;
  const hasLength = headers.get('content-length') === String(byteLength);
  // Then `fetch` reads as many bytes as `content-length` says. Anything else it might unpack.
  const isAsUploaded = (headers.get('content-encoding') ?? identity) === identity;
  if (ok && hasLength && isAsUploaded) {
    return { bytes: await response.bytes(), contentType: headers.get('content-type') ?? undefined };
  }
  await response.body?.cancel();
  if (ok || missing.has(status)) return undefined;
  throw refusedBy('S3', status);
}

const identity = 'identity';

/**
 * A ticket's signature leaves the uploader free to add `Content-Encoding: gzip`, which S3 keeps and `fetch` unpacks, to
 * any size. S3 API reference, "GetObject": overriding response header values.
 */
const asUploaded = { 'response-content-encoding': identity };

/**
 * S3 answers 403 for a missing object to a caller that may not list the bucket (S3 API reference, "GetObject"). Those
 * who send needn't: a request that this refuses may be repeated.
 */
const missing: ReadonlySet<number> = new Set([404, 403]);

const keyOf = (uploadId: UploadId): string => `${organizationIdOf(uploadId)}/${uploadId}`;

/** Signs uploads to the bucket, for `issueUploadTicket`. */
export const signsUploads = /* @__PURE__ */ capability(
  { environment: bucketEnvironment, attachmentsBucket: 'put' },
  bucketSettingsOf,
);
