import { fromEnv } from '@aws-sdk/credential-provider-env';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { organizationIdOf, type UploadId, uploadByteLength } from '#shared/tokens/resource-id';
import type { FetchUpload, IssueTicket, UploadedContent } from './upload.ts';

export type UploadStoreSettings = {
  readonly bucket: string;
  readonly region: string;
  /** What stands in for S3, addressed by path; S3 itself is addressed by host. */
  readonly endpoint?: string | undefined;
};

const ticketSeconds = 900;
const fetchTimeoutMs = 8_000;

/**
 * The bucket of uploaded attachments, over two signed requests: an SDK client would be a third of
 * each sending function's bundle.
 */
export function createUploadStore(settings: UploadStoreSettings): {
  readonly issueTicket: IssueTicket;
  readonly fetchUpload: FetchUpload;
} {
  const signer = new SignatureV4({
    service: 's3',
    region: settings.region,
    credentials: fromEnv(),
    sha256: Sha256,
    // S3 alone signs the path as it stands (S3 API reference, "Signature calculations").
    uriEscapePath: false,
  });
  return {
    issueTicket: async (uploadId, contentType, now) => {
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
    },
    fetchUpload: async (uploadId) => {
      const request = requestFor(settings, uploadId, 'GET', {});
      const { headers } = await signer.sign(request);
      const signal = AbortSignal.timeout(fetchTimeoutMs);
      const response = await fetch(urlOf(request), { headers, signal });
      return contentOf(response, uploadByteLength(uploadId));
    },
  };
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
  // S3 says 403 of what is not there to whoever may not list the bucket ("GetObject").
  const isMissing = ok || status === 404 || status === 403;
  if (isMissing) return undefined;
  throw new Error(`S3 answered ${status}`);
}

/** Each organization's uploads are under its id, by their own. */
function requestFor(
  { bucket, region, endpoint }: UploadStoreSettings,
  uploadId: UploadId,
  method: 'GET' | 'PUT',
  headers: Readonly<Record<string, string>>,
) {
  const key = `${organizationIdOf(uploadId)}/${uploadId}`;
  const { protocol, host, hostname, port, pathname } = new URL(
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com/${key}`
      : `${endpoint}/${bucket}/${key}`,
  );
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

/** Percent-encoded as it was signed (RFC 3986), which `URLSearchParams` does not do. */
const queryOf = (query: Readonly<Record<string, string | readonly string[] | null>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
