import { createHash, hash } from 'node:crypto';
import type { Attachment } from '#shared/attachments/attachment';
import {
  isInDoubt,
  type Send,
  type SendEndpoint,
  type SendResponse,
  sendResponseOf,
  stateAt,
} from './send.ts';
import type { SendRequest, TemplateSendRequest } from './send-request.ts';
import type { TemplateUse } from './template-use.ts';

/**
 * The idempotency key is the client's name for the send: it leads to the send's slot. What a request may
 * do that finds a send there:
 *
 * | the send there                          | the request                                           |
 * |-----------------------------------------|-------------------------------------------------------|
 * | `failed`                                | makes the next attempt, also with another body        |
 * | of another request                      | is refused: the key is reused                         |
 * | `sent` or `suppressed`                  | replays its answer                                    |
 * | `sending`, its window not over          | waits: an attempt is under way, or in doubt           |
 * | `sending`, its window over, but proven  | replays: SES took it, whatever its message id is      |
 * | `sending`, its window over              | makes the next attempt: SES never took it             |
 */
export type IdempotencyVerdict =
  | { readonly kind: 'replay'; readonly response: SendResponse }
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'in_progress'; readonly retryAt: number }
  | { readonly kind: 'next_attempt' };

/** HTTP API ends a request after 30 seconds; an attempt that is younger may well still be at work. */
const longestAttemptMs = 30_000;
const pollMs = 1_000;

/** What a request with this fingerprint may do that finds the send in its slot. */
export function judgeStanding(send: Send, fingerprint: string, now: number): IdempotencyVerdict {
  const { status } = stateAt(send, now);
  const isFailedForGood = send.status === 'failed' && status === 'failed';
  if (isFailedForGood) return { kind: 'next_attempt' };
  if (send.fingerprint !== fingerprint) return { kind: 'key_reused' };
  switch (status) {
    case 'sent':
    case 'suppressed':
      return { kind: 'replay', response: sendResponseOf(send, status) };
    case 'failed':
      return { kind: 'next_attempt' };
    case 'sending':
      return { kind: 'in_progress', retryAt: retryAtOf(send, now) };
  }
}

function retryAtOf({ claimedAt, leaseExpiresAt }: Send, now: number): number {
  const mayStillRun = now < claimedAt + longestAttemptMs;
  return mayStillRun ? Math.min(now + pollMs, leaseExpiresAt) : leaseExpiresAt;
}

/** A client that never stops retrying must not make the item grow for ever. */
const mostAttemptsKept = 20;

/** Why an attempt that waits for an earlier one's outcome sent nothing: its address is suppressed. */
const suppressedReason = 'Suppressed';

/**
 * The next attempt of the send that stands in the slot, by the request whose claim is `wanted`. It keeps
 * the id of the send and its failures. When nobody knows what came of the last attempt, that one may
 * still be proven accepted while this one's window lasts.
 */
export function nextAttempt(standing: Send, wanted: Send): Send {
  const { id, feedbackId, createdAt } = standing;
  const attempt = standing.attempt + 1;
  const isLastOneKnown = standing.attempts.at(-1)?.attempt === standing.attempt;
  const doubtUntil = isLastOneKnown ? standing.doubtUntil : wanted.leaseExpiresAt;
  const next: Send = {
    ...wanted,
    id,
    feedbackId,
    attempt,
    attempts: standing.attempts.slice(-mostAttemptsKept),
    ...(doubtUntil !== undefined && { doubtUntil }),
    isReadableById: standing.isReadableById && wanted.isReadableById,
    createdAt,
  };
  const mustWait = next.status === 'suppressed' && isInDoubt(next, wanted.claimedAt);
  if (!mustWait) return next;
  // The bounce of the earlier attempt may be what suppresses the address: then the send is `sent`.
  const failed = { attempt, at: wanted.claimedAt, reason: suppressedReason };
  return { ...next, status: 'sending', attempts: [...next.attempts, failed] };
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

const sha256 = (text: string): string => hash('sha256', text, 'base64url');

const pieceLength = 65_536;

/** Piece by piece: at once it would take one more copy of what may be megabytes. */
function sha256OfAscii(text: string): string {
  const parts = createHash('sha256');
  for (let start = 0; start < text.length; start += pieceLength) {
    parts.update(text.slice(start, start + pieceLength));
  }
  return parts.digest('base64url');
}
