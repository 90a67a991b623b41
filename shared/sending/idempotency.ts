import { createHash, hash } from 'node:crypto';
import type { Attachment, AttachmentContent } from '#shared/attachments/attachment';
import { longestAttemptMs } from '#shared/config/attempt-time';
import { nothingElse } from '#shared/errors/nothing-else';
import { builtInDefaultPolicyKey } from '#shared/organizations/organization';
import { heardBefore } from './heard.ts';
import type { SendRequest, TemplateSendRequest } from './request/send-request.ts';
import type { TemplateUse } from './request/template-use.ts';
import {
  failureOf,
  isWaiting,
  mayEarlierBeProven,
  mostAttemptsKept,
  type Send,
  type SendEndpoint,
  type SendResponse,
  sendResponseOf,
  stateAt,
} from './send.ts';

/**
 * The idempotency key is the client's name for the send. It leads to the send's slot (`slotIdOf` in
 * `tokens/resource-id.ts`). If a request finds a send in its slot, the first row that fits says what it does:
 *
 * | the send in the slot                     | what the request does                                |
 * |------------------------------------------|------------------------------------------------------|
 * | has given up its key: a manager freed it | claims the slot to which the key now leads           |
 * | is `failed`                              | makes the next attempt, even if its body differs; or |
 * |                                          | lets it wait again, if that is what it asks for      |
 * | was made by a request that asks for      | is refused: the key is reused                        |
 * | something else                           |                                                      |
 * | is `sent`, `suppressed` or `canceled`    | replays the answer                                   |
 * | is `scheduled` or `queued`, or a worker  | replays what has become of it so far: workers alone  |
 * | sends it (`dueAt`)                       | make its attempts                                    |
 * | is `sending`, the window is not over     | waits: an attempt is under way, or in doubt          |
 * | is `sending`, the window is over, and    | replays the answer: SES took the email               |
 * | there is a proof (`provenAt`)            |                                                      |
 * | is `sending`, the window is over         | makes the next attempt: SES never took the email     |
 *
 * A window lasts 300 s unless `DOUBT_WINDOW_SECONDS` (`config/environment.ts`) differs; `new-claim.ts` sets
 * its end. A send whose last attempt SES refused while an earlier one was in doubt is `failed` once its
 * window is over.
 */
type IdempotencyVerdict =
  | { readonly kind: 'replay'; readonly response: SendResponse }
  /** `byAnotherKey`: the send was made with another API key. */
  | { readonly kind: 'key_reused'; readonly byAnotherKey?: true }
  | { readonly kind: 'in_progress'; readonly retryAt: number }
  | { readonly kind: 'next_attempt' };

const pollMs = 1_000;

export function judgeStanding(
  send: Send,
  { fingerprint, apiKeyId }: Pick<Send, 'fingerprint' | 'apiKeyId'>,
  now: number,
): IdempotencyVerdict {
  const { status } = stateAt(send, now);
  const hasKnownFailure = status === 'failed' && failureOf(send) !== undefined;
  if (hasKnownFailure) return { kind: 'next_attempt' };
  // Until 2026-11-24 the whole digest was stored.
  if (!send.fingerprint.startsWith(fingerprint)) {
    return { kind: 'key_reused', ...(send.apiKeyId !== apiKeyId && { byAnotherKey: true }) };
  }
  switch (status) {
    case 'scheduled':
    case 'queued':
    case 'sent':
    case 'suppressed':
    case 'canceled':
      return { kind: 'replay', response: sendResponseOf(send, status) };
    case 'failed':
      return { kind: 'next_attempt' };
    case 'sending':
      if (send.dueAt !== undefined) {
        return { kind: 'replay', response: sendResponseOf(send, status) };
      }
      return { kind: 'in_progress', retryAt: retryAtOf(send, now) };
  }
}

function retryAtOf({ claimedAt, leaseExpiresAt }: Send, now: number): number {
  const mayStillRun = now < claimedAt + longestAttemptMs;
  return mayStillRun ? Math.min(now + pollMs, leaseExpiresAt) : leaseExpiresAt;
}

/** An answer, or the next attempt of the send in the slot. */
export type ClaimVerdict =
  | Exclude<IdempotencyVerdict, { kind: 'next_attempt' }>
  | { readonly kind: 'next_attempt'; readonly send: Send };

export function judgeClaim(standing: Send, wanted: Send): ClaimVerdict {
  const verdict = judgeStanding(standing, wanted, wanted.claimedAt);
  if (verdict.kind !== 'next_attempt') return verdict;
  return { kind: 'next_attempt', send: nextAttempt(standing, wanted) };
}

/** The reason of an attempt without an answer within its window. */
const unansweredReason = 'Unanswered';

/** The reason of an attempt that sent nothing because its address is suppressed. */
const suppressedReason = 'Suppressed';

/**
 * Keeps the send's id and failures. An attempt in doubt may still be proven accepted during the new window. A request
 * that lets the email wait raises the number too, so earlier attempts no longer count.
 */
export function nextAttempt(standing: Send, wanted: Send): Send {
  const { id, feedbackId, createdAt } = standing;
  const attempt = standing.attempt + 1;
  const isLastOneKnown = isWaiting(standing) || failureOf(standing) !== undefined;
  const doubtUntil = isLastOneKnown ? standing.doubtUntil : wanted.leaseExpiresAt;
  const unanswered = {
    attempt: standing.attempt,
    at: standing.leaseExpiresAt,
    reason: unansweredReason,
  };
  const attempts = isLastOneKnown ? standing.attempts : [...standing.attempts, unanswered];
  const next: Send = {
    ...wanted,
    id,
    feedbackId,
    attempt,
    // An earlier request that was delayed asks for less.
    expiresAt: Math.max(standing.expiresAt, wanted.expiresAt),
    attempts: attempts.slice(-mostAttemptsKept),
    ...(doubtUntil !== undefined && { doubtUntil }),
    isReadableById: standing.isReadableById && wanted.isReadableById,
    ...heardBefore(standing),
    // The earlier attempt may have gone to another new recipient.
    ...(standing.hasNewRecipients && { hasNewRecipients: true }),
    createdAt,
  };
  const mustWait = next.status === 'suppressed' && mayEarlierBeProven(next, wanted.claimedAt);
  if (!mustWait) return next;
  // The earlier attempt's bounce may be why the address is suppressed. Then the send is `sent`.
  return heldBack(next, suppressedReason);
}

const heldBack = (next: Send, reason: string): Send => ({
  ...next,
  status: 'sending',
  attempts: [...next.attempts, { attempt: next.attempt, at: next.claimedAt, reason }],
});

/**
 * 132 bits of the SHA-256 over the endpoint and the normalised request: equal exactly when two requests ask for the
 * same. A template counts by its id, since its text may be edited between two tries; likewise a request that names no
 * policy counts as naming the built-in default.
 *
 * What only some requests have (`from`, options) counts by name: requests without a new field keep their fingerprint.
 */
export function fingerprintOf(
  endpoint: SendEndpoint,
  request: SendRequest | TemplateSendRequest,
): string {
  const { subject, content, htmlContent, template, ...envelope } = { ...noWords, ...request };
  // A retry may ask for the queue: how an email is handed over isn't part of what it says.
  const {
    to,
    moreTo,
    cc,
    bcc,
    policyKey,
    attachments,
    idempotencyKey: _,
    mode: _mode,
    sendAt,
    sendAtInWords,
    ...options
  } = envelope;
  const others = { ...options, sendAt: sendAtInWords ?? sendAt };
  const addresses = [[to, ...moreTo], cc, bcc].map((list) =>
    list.map(({ address, name }) => (name === undefined ? address : [name, address])),
  );
  const words =
    template === undefined
      ? [subject, content ?? null, htmlContent ?? null]
      : templateWords(template.asked);
  const isPlain = Object.values(others).every((value) => value === undefined);
  const whole = sha256(
    JSON.stringify([
      endpoint,
      addresses,
      ...words,
      policyKey ?? builtInDefaultPolicyKey,
      ...(attachments.length === 0 ? [] : [attachments.map(attachmentFingerprint)]),
      ...(isPlain ? [] : [withSortedKeys(others)]),
    ]),
  );
  return whole.slice(0, 22);
}

const noWords = { subject: undefined, content: undefined, htmlContent: undefined };

function templateWords({ name, version, locale, variables, subject, ...rest }: TemplateUse) {
  nothingElse(rest);
  const choice = [version, locale, subject];
  const isPlain = choice.every((value) => value === undefined);
  return [
    name,
    withSortedKeys(variables),
    ...(isPlain ? [] : [choice.map((value) => value ?? null)]),
  ];
}

/** Equal objects give the same JSON text. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, withSortedKeys(member)]));
}

function attachmentFingerprint(attachment: Attachment) {
  const { filename, contentType, contentId, content, ...rest } = attachment;
  nothingElse(rest);
  const parts = [filename ?? null, contentType ?? null, content.kind, contentFingerprint(content)];
  return contentId === undefined ? parts : [...parts, contentId];
}

/**
 * Base64 text identifies its bytes, and an upload's id too: uploads never change. What is behind a URL may change: a
 * retry is the same request as long as it names the same URL.
 */
function contentFingerprint(content: AttachmentContent): string {
  switch (content.kind) {
    case 'inline':
      return sha256OfAscii(content.base64);
    case 'upload':
      return content.uploadId;
    case 'url':
      return content.url;
  }
}

const sha256 = (text: string): string => hash('sha256', text, 'base64url');

const pieceLength = 65_536;

/** In pieces: in one, it would copy what may be megabytes. */
function sha256OfAscii(text: string): string {
  const parts = createHash('sha256');
  for (let start = 0; start < text.length; start += pieceLength) {
    parts.update(text.slice(start, start + pieceLength));
  }
  return parts.digest('base64url');
}
