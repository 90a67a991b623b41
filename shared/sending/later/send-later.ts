import { type CountedWaiting, limitWaiting } from '#shared/access/limit-day';
import { type AttachmentSources, loadAttachments } from '#shared/attachments/load-attachments';
import { longestFetchMs } from '#shared/config/send-attempt-time';
import { invalidField } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import type { AdmittedEmail } from '#shared/sending/check-email';
import { claimSend, newSend } from '#shared/sending/claim';
import {
  answerBy,
  answerUsedKey,
  existingSend,
  type SendResult,
} from '#shared/sending/idempotency-key';
import {
  type ClaimedSend,
  factsOf,
  type Send,
  type SendEndpoint,
  sendResponseOf,
  type WaitingSend,
} from '#shared/sending/send';
import { getKeyedSend } from '#shared/sending/send-store';
import type { Sending } from '#shared/sending/sending';
import {
  type ContentPlace,
  type ContentStore,
  newSealKey,
} from '#shared/stored-content/content-store';
import {
  newNonce,
  type OrganizationId,
  organizationIdOf,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { longestAheadDays } from './schedule-horizon.ts';
import { longestDelayMs, type SendToWake } from './send-queue.ts';
import { longestAheadMs, requireNotLongPast } from './waiting.ts';

export type EmailForLater = {
  readonly endpoint: SendEndpoint;
  readonly email: AdmittedEmail;
  readonly log: RequestLog;
  /** In our fields: workers parse it again with `sendBodySchema`. */
  readonly body: unknown;
  /** Present if its bytes are already counted, together with others'. */
  readonly counted?: CountedWaiting | undefined;
};

/**
 * Stores an admitted email for workers, in the order of the table "A request" in `shared/sending/later/README.md`.
 *
 * @throws ServiceError for every answer but 202.
 */
export async function sendLater(one: EmailForLater, sending: Sending): Promise<SendResult> {
  const { endpoint, email, log } = one;
  const { table, settings } = sending;
  const { organization, request } = email;
  const now = sending.now();
  const { sendAt } = request;

  // A retry gets its answer before anything is refused or stored.
  const asking = { ...email, request: { ok: true, value: request } } as const;
  const seen = await existingSend(table, asking, now);
  const known = answerBy(seen, endpoint, asking, now);
  if (known !== undefined) {
    await one.counted?.giveBack().catch(() => {});
    return known;
  }
  requireMomentInReach(request, seen, now);

  const { content, bytes, attachmentBytes } = await contentOf(one, sending.attachments);
  const counted = one.counted ?? (await limitWaiting(organization, bytes, now, sending, email));
  const contentId = newNonce();
  const waitingKey = newSealKey();
  const place = contentPlace(organization.id, contentId);
  // If this fails, the bytes stay counted, since the bucket may have stored it.
  await sending.contents.put(place, content, waitingKey);
  const claimedAt = sending.now();
  const claim = newSend(endpoint, email, claimedAt, settings);
  const sized = attachmentBytes === undefined ? claim : { ...claim, attachmentBytes };
  const { patienceMs } = settings;
  const candidate = waitingClaim(sized, { contentId, waitingKey, sendAt, patienceMs });
  const { webhooks: subscriptions } = organization;
  const claimed = await claimSend(table, candidate, { subscriptions, onlyAfter: { seen } });
  if (claimed.kind !== 'claimed') {
    const isDropped = await dropContent(candidate, place, sending).catch((error: unknown) => {
      log.error('content not dropped', error);
      return false;
    });
    // If this fails, they stay counted until midnight.
    if (isDropped) await counted.giveBack().catch(() => {});
    return answerUsedKey(claimed, claimedAt);
  }

  const { send, deliveries } = claimed;
  log.bind({ feedbackId: send.feedbackId });
  await Promise.all([
    sending.wakeSenders(wakeFor(send, sending.now())),
    sending.wakeWebhooks(deliveries),
    // A worker may have died before it did.
    seen && removeContentNow(seen, sending.contents).catch(reportLeft(log)),
  ]);
  return { response: sendResponseOf(send, send.status), replayed: false };
}

/** The bucket's lifecycle deletes it, and nobody has its key. */
const reportLeft = (log: RequestLog) => (error: unknown) => log.error('content not deleted', error);

/**
 * @param seen the key's send. A retry of one that failed repeats its moment, which is past by then.
 * @throws ServiceError `validation_failed`
 */
export function requireMomentInReach(
  { sendAt }: Pick<AdmittedEmail['request'], 'sendAt'>,
  seen: Send | undefined,
  now: number,
): void {
  if (sendAt === undefined) return;
  if (sendAt > now + longestAheadMs) {
    throw invalidField('sendAt', `must be at most ${longestAheadDays} days ahead`);
  }
  if (seen === undefined) requireNotLongPast(sendAt, now);
}

/** No attempt is made yet. Suppressions are checked when it's due. */
export function waitingClaim(
  claim: ClaimedSend,
  {
    contentId,
    waitingKey,
    sendAt,
    patienceMs,
  }: {
    readonly contentId: string;
    readonly waitingKey: string;
    readonly sendAt: number | undefined;
    readonly patienceMs: number;
  },
): WaitingSend {
  const {
    hasNewRecipients: _,
    untracked: _untracked,
    contentDays: _days,
    contentKey: _key,
    ...candidate
  } = factsOf(claim);
  const { claimedAt: now } = claim;
  const dueAt = Math.max(now, sendAt ?? now);
  return {
    ...candidate,
    status: dueAt > now ? 'scheduled' : 'queued',
    attempt: 0,
    suppressedRecipients: [],
    ...(sendAt !== undefined && { sendAt }),
    dueAt,
    dueSince: dueAt,
    giveUpAt: dueAt + patienceMs,
    contentId,
    waitingKey,
    expiresAt: claim.expiresAt + Math.ceil((dueAt - now) / 1_000),
  };
}

/** Only for sends that are due within SQS's longest delay; `functions/run-send-queue` finds the others. */
export function wakeFor({ id, dueAt }: Pick<Send, 'id' | 'dueAt'>, now: number): SendToWake[] {
  if (dueAt === undefined || dueAt - now > longestDelayMs) return [];
  return [{ slotId: slotIdIn(id), delayMs: dueAt - now }];
}

export const contentPlace = (organizationId: OrganizationId, name: string): ContentPlace => ({
  kind: 'waiting',
  organizationId,
  name,
});

/** Whatever stops a process now may be over by then. */
export const lookAgainMs = 60_000;

export type ContentRemoving = {
  readonly contents: Pick<ContentStore, 'remove'>;
  readonly wakeSenders: Sending['wakeSenders'];
};

/**
 * If this fails, a worker soon deletes it, as it does with every content it finds of a send that is over
 * (`send-waiting.ts`).
 */
export async function removeContent(
  send: Pick<Send, 'id' | 'contentId'>,
  { contents, wakeSenders }: ContentRemoving,
  log: RequestLog,
): Promise<void> {
  try {
    await removeContentNow(send, contents);
  } catch (error) {
    log.error('content not deleted', error);
    await wakeSenders([{ slotId: slotIdIn(send.id), delayMs: lookAgainMs }]);
  }
}

export async function removeContentNow(
  { id, contentId }: Pick<Send, 'id' | 'contentId'>,
  contents: Pick<ContentStore, 'remove'>,
): Promise<void> {
  if (contentId !== undefined) await contents.remove(contentPlace(organizationIdOf(id), contentId));
}

/** `undefined` if workers may still send it, or it's gone. */
export const waitingPlaceOf = ({ id, dueAt, contentId }: Send): ContentPlace | undefined =>
  contentId === undefined || dueAt !== undefined
    ? undefined
    : contentPlace(organizationIdOf(id), contentId);

/**
 * Drops the content of a claim that lost, unless its Put was stored after all, its answer lost, and a worker has gone
 * on with it.
 *
 * @returns whether it was dropped: if not, the send names it.
 */
async function dropContent(
  { id, contentId }: Send,
  place: ContentPlace,
  { table, contents, now }: Sending,
): Promise<boolean> {
  const existing = (await getKeyedSend(table, slotIdIn(id), now()))?.send;
  if (existing?.contentId === contentId) return false;
  await contents.remove(place);
  return true;
}

/**
 * The content to store, and its size before compression, which senders can work out.
 *
 * @param signal aborted when the files behind URLs must have loaded.
 */
export async function contentOf(
  { body, email }: Pick<EmailForLater, 'body' | 'email'>,
  sources: AttachmentSources,
  signal = AbortSignal.timeout(longestFetchMs),
): Promise<LoadedContent & { readonly bytes: number }> {
  const loaded = await withLoadedAttachments(body, email, sources, signal);
  return { ...loaded, bytes: Buffer.byteLength(JSON.stringify(loaded.content)) };
}

type LoadedContent = {
  readonly content: unknown;
  /** Unless the claim knows it: all are inline. */
  readonly attachmentBytes?: number;
};

/** Loads attachments that aren't inline into the body: uploads last a day, and URLs may not last that long. */
async function withLoadedAttachments(
  body: unknown,
  {
    organization,
    request: { attachments },
    attachments: { totalBytes: knownBytes },
  }: AdmittedEmail,
  sources: AttachmentSources,
  signal: AbortSignal,
): Promise<LoadedContent> {
  const isInline = attachments.every(({ content }) => content.kind === 'inline');
  if (isInline || typeof body !== 'object' || body === null) return { content: body };
  const loading = { organizationId: organization.id, knownBytes, signal };
  const loaded = await loadAttachments(attachments, sources, loading);
  const content = {
    ...body,
    attachments: loaded.map(({ bytes, ...rest }) => ({
      ...rest,
      contentBase64: Buffer.from(bytes).toString('base64'),
    })),
  };
  return { content, attachmentBytes: loaded.reduce((sum, { bytes }) => sum + bytes.length, 0) };
}
