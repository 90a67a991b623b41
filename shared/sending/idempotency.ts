import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Attachment } from '#shared/attachments/attachment';
import { sendIdSchema } from '#shared/tokens/resource-id';
import { type SendEndpoint, type SendResponse, sendResponseSchema } from './send.ts';
import type { SendRequest, TemplateSendRequest } from './send-request.ts';
import type { TemplateUse } from './template-use.ts';

/**
 * An idempotency key's record:
 *
 * | from          | to            | when                                                        |
 * |---------------|---------------|-------------------------------------------------------------|
 * | (none)        | `in_progress` | the first request claims the key, with its send             |
 * | `in_progress` | `in_progress` | its lease ran out, a retry takes it over (new lease)        |
 * | `in_progress` | `completed`   | the send's outcome is committed, with the answer to replay  |
 * | `in_progress` | (none)        | SES said no: the key is free and a retry sends anew         |
 * | `completed`   | (none)        | SES took the email and then rejected its content (Reject)   |
 */
export const idempotencyRecordSchema = z.object({
  state: z.enum(['in_progress', 'completed']),
  fingerprint: z.string(),
  sendId: sendIdSchema,
  /** When the latest attempt began, epoch milliseconds. */
  claimedAt: z.int(),
  /** Epoch milliseconds. The lease lasts for the doubt window: see `send-email.ts`. */
  leaseExpiresAt: z.int(),
  response: z.optional(sendResponseSchema),
});
export type IdempotencyRecord = z.infer<typeof idempotencyRecordSchema>;

export type IdempotencyVerdict =
  | { readonly kind: 'replay'; readonly response: SendResponse }
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'in_progress'; readonly retryAt: number }
  | { readonly kind: 'take_over'; readonly record: IdempotencyRecord };

/** HTTP API ends a request after 30 seconds; an attempt that is younger may well still be at work. */
const longestAttemptMs = 30_000;
const pollMs = 1_000;

/** What a request that finds its key taken may do. */
export function judgeRecord(
  record: IdempotencyRecord,
  fingerprint: string,
  now: number,
): IdempotencyVerdict {
  if (record.fingerprint !== fingerprint) return { kind: 'key_reused' };
  if (record.response !== undefined) return { kind: 'replay', response: record.response };
  const isLeased = record.leaseExpiresAt > now;
  if (!isLeased) return { kind: 'take_over', record };

  const mayStillRun = now < record.claimedAt + longestAttemptMs;
  const retryAt = mayStillRun ? now + pollMs : record.leaseExpiresAt;
  return { kind: 'in_progress', retryAt: Math.min(retryAt, record.leaseExpiresAt) };
}

/**
 * SHA-256 over the endpoint and the normalised request: equal exactly when they ask for the same. A
 * template stands for itself, not for what it holds at the moment: it may be edited between two tries.
 */
export function fingerprintOf(
  endpoint: SendEndpoint,
  request: SendRequest | TemplateSendRequest,
): string {
  const { to, cc, bcc, policyKey } = request;
  const addresses = [[to], cc, bcc].map((list) => list.map(({ address }) => address));
  const attachments = request.attachments.map(attachmentFingerprint);
  const parts = [endpoint, addresses, ...wordsOf(request), policyKey];
  return sha256(JSON.stringify(attachments.length === 0 ? parts : [...parts, attachments]));
}

function wordsOf(request: SendRequest | TemplateSendRequest): readonly unknown[] {
  if (!('subject' in request)) return templateWords(request.template);
  const { template, subject, content, htmlContent } = request;
  return template === undefined ? [subject, content, htmlContent ?? null] : templateWords(template);
}

const templateWords = ({ id, variables }: TemplateUse) => [id, withSortedKeys(variables)];

/** So that JSON.stringify makes the same of two objects with the same members in another order. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, withSortedKeys(member)]));
}

/**
 * The base64 text stands for its bytes: no two texts that pass the check have the same. So does an
 * upload's id: what is uploaded never changes.
 */
const attachmentFingerprint = ({ filename, contentType, content }: Attachment) => [
  filename,
  contentType ?? null,
  content.kind,
  content.kind === 'inline' ? sha256OfAscii(content.base64) : content.uploadId,
];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

const pieceLength = 65_536;

/** Piece by piece: at once it would take one more copy of what may be megabytes. */
function sha256OfAscii(text: string): string {
  const hash = createHash('sha256');
  for (let start = 0; start < text.length; start += pieceLength) {
    hash.update(text.slice(start, start + pieceLength));
  }
  return hash.digest('base64url');
}
