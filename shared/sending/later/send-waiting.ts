import { erasedAddress } from '#shared/contacts/erased-address';
import { ServiceError } from '#shared/errors/service-error';
import { publishCount } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { getOrganization } from '#shared/organizations/organization-store';
import { newSend, nextAttempt } from '#shared/sending/claim';
import { erasedFrom } from '#shared/sending/erased-recipients';
import { handOver } from '#shared/sending/hand-over';
import { withoutSetHeaders } from '#shared/sending/request/send-fields';
import {
  type ParsedSendRequest,
  parseSendRequest,
  recipientsIn,
} from '#shared/sending/request/send-request';
import {
  addressesIn,
  type ClaimedSend,
  type FailedSend,
  factsOf,
  failureOf,
  isTakeover,
  isTestSend,
  isWaiting,
  maxAttemptsKept,
  notAccepted,
  type Send,
  type SendFacts,
  type SendUnderWay,
  type WaitingSend,
} from '#shared/sending/send';
import { emailFailedDeliveries, emailSuppressedDeliveries } from '#shared/sending/send-outbox';
import type { Mailing, Sending } from '#shared/sending/sending';
import type { ContentStore } from '#shared/stored-content/content-store';
import type { TakeTurn } from '#shared/timing/pace';
import type { Semaphore } from '#shared/timing/semaphore';
import { newNonce, organizationIdOf, type SlotId, slotIdIn } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { type AdmittedAgain, admitAgain, recipientErased } from './admit-again.ts';
import { contentPlace, removeContent, removeContentNow, wakeFor } from './send-later.ts';
import { longestDelayMs, type QueuedSend, type SendToWake } from './send-queue.ts';
import {
  checkDue,
  isForWorkers,
  requestUnreadable,
  stateAfterFailure,
  type WorkersSend,
  withPatience,
} from './waiting.ts';
import {
  beginAttempt,
  getExpiredSend,
  getSendInSlot,
  leaveWaitingIndex,
  releaseWaiting,
} from './waiting-store.ts';
import { withoutRecipients } from './without-recipients.ts';

export type WaitingSending = Mailing &
  Pick<Sending, 'limitsOfDeployment'> & {
    readonly contents: Pick<ContentStore, 'get' | 'remove'>;
    readonly wakeSenders: Sending['wakeSenders'];
    /** Takes as many turns as the email has recipients, which is what SES counts. */
    readonly takeTurn: TakeTurn;
    /** Bytes of attachments that this process may hold at once. */
    readonly memory: Semaphore;
    /** No attempt begins later: it would outlast the function. */
    readonly until: number;
  };

/**
 * - `sent`, `suppressed`, `failed`: final.
 * - `simulated`: a test email went to the simulator.
 * - `postponed`: nothing was sent, and another attempt is due later.
 * - `held_up`, `refused`: the same as `postponed` and `failed`, by the organization's own limits, state or email.
 * - `in_doubt`: whether SES took it isn't known yet.
 * - `too_early`, `over`: nothing to do.
 * - `no_turn`: its turn didn't come while the worker has time. It stays due.
 * - `under_way`, `lost`: another worker has it, or another process was faster.
 */
export type WaitingOutcome =
  | 'sent'
  | 'simulated'
  | 'suppressed'
  | 'failed'
  | 'postponed'
  | 'held_up'
  | 'refused'
  | 'in_doubt'
  | 'too_early'
  | 'over'
  | 'no_turn'
  | 'under_way'
  | 'lost';

/**
 * Makes the next attempt of a send that is due, in the order of the table "A worker" in
 * `shared/sending/later/README.md`. Any number of workers may run, die or freeze at any step.
 *
 * @throws Error if the table or the bucket fails. The send stays due, or its content remains to be deleted.
 */
export async function sendWaiting(
  queued: QueuedSend,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  const { slotId } = queued;
  const outcome = await attemptIfDue(queued, sending, log);
  if (isDueLater.has(outcome)) await sending.wakeSenders([lookAfterNext(slotId)]);
  if (mayBeSettledByEvent.has(outcome)) {
    await sending.wakeSenders([lookAfterDoubt(slotId, sending)]);
  }
  return outcome;
}

const isDueLater = new Set<WaitingOutcome>(['postponed', 'held_up']);

/** An event settles a send but deletes nothing. Or a worker settled it and died. */
const mayBeSettledByEvent = new Set<WaitingOutcome>(['in_doubt', 'under_way', 'lost']);

/** When an attempt that begins now is no longer in doubt. */
export const lookAfterDoubt = (
  slotId: SlotId,
  { settings }: Pick<Mailing, 'settings'>,
): SendToWake => ({ slotId, delayMs: Math.min(settings.leaseMs + 1_000, longestDelayMs) });

// SQS may deliver a message twice. A worker with the other copy may make the next attempt before a scheduled run does,
// and die. Its message doesn't come back, because we delete ours. So these two ask for another look.

/** After an attempt that sent nothing: as late as SQS can, when the next one is mostly over. */
const lookAfterNext = (slotId: SlotId): SendToWake => ({ slotId, delayMs: longestDelayMs });

/**
 * Before the send is due. Only once, so messages don't pile up: a move or a postponement in between asks for its own
 * look.
 */
const lookWhenDue = (send: Send, now: number): readonly SendToWake[] =>
  wakeFor(send, now).map((wake) => ({ ...wake, isRepeated: true }));

async function attemptIfDue(
  { slotId, isRepeated }: QueuedSend,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  const now = sending.now();
  const existing = await getSendInSlot(sending.table, slotId, now);
  if (existing === undefined) {
    await forgetExpired(slotId, now, sending);
    return 'over';
  }
  if (!isForWorkers(existing)) {
    await removeContentNow(existing, sending.contents);
    return 'over';
  }
  switch (checkDue(existing, now)) {
    case 'too_early':
      if (!isWaiting(existing)) return 'under_way';
      if (!isRepeated) await sending.wakeSenders(lookWhenDue(existing, now));
      return 'too_early';
    case 'release':
      return giveUp(existing, sending, log);
    case 'attempt':
      return makeAttempt(withPatience(existing, now, sending.settings.patienceMs), sending, log);
  }
}

/**
 * Also of a send that an event settled after its worker died: the worker's message may come back after it expired. The
 * content goes first: once the send has left the index, nobody looks at it again.
 */
async function forgetExpired(
  slotId: SlotId,
  now: number,
  { table, contents }: WaitingSending,
): Promise<void> {
  const expired = await getExpiredSend(table, slotId, now);
  if (expired === undefined) return;
  await removeContentNow(expired, contents);
  if (expired.dueAt !== undefined) await leaveWaitingIndex(table, expired, now);
}

/** Ends the work on a send that is out, or in doubt for good. Only the latter is reported as failed. */
async function giveUp(
  existing: WorkersSend,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  const reason = failureOf(existing)?.reason ?? notAccepted;
  const isInDoubt = existing.provenAt === undefined;
  const deliveries = isInDoubt ? await deliveriesOfFailure(existing, reason, sending) : [];
  if (!(await releaseWaiting(sending.table, existing, deliveries))) return 'lost';
  await sending.wakeWebhooks(deliveries);
  await removeContent(existing, sending, log);
  return isInDoubt ? 'failed' : 'over';
}

async function deliveriesOfFailure(
  send: Send,
  reason: string,
  { table, now }: WaitingSending,
): Promise<readonly Delivery[]> {
  const organization = await getOrganization(table, organizationIdOf(send.id));
  if (organization === undefined) return [];
  return emailFailedDeliveries(send, { at: now(), reason }, organization.webhooks);
}

async function makeAttempt(
  existing: WorkersSend,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  if (existing.toEmail === erasedAddress) {
    return refuse(existing, recipientErased, sending, log);
  }
  const attempt = async () =>
    (await getsTurn(existing, sending)) ? attemptNow(existing, sending, log) : 'no_turn';
  // Memory comes before the turn. If turns were taken first, emails that then wait for memory would all go out at once.
  const { attachmentBytes: bytes = 0 } = existing;
  return bytes <= smallBytes ? attempt() : sending.memory.run(bytes, attempt);
}

/** Without waiting for memory: as many as a worker attempts at once are less than one large email. */
const smallBytes = 64 * 1024;

/** SES doesn't get test emails. */
const getsTurn = async (send: Send, { takeTurn, until, now }: WaitingSending): Promise<boolean> =>
  isTestSend(send) ? now() <= until : takeTurn(addressesIn(send).length, until);

/** From here on, the email is in memory. */
async function attemptNow(
  existing: WorkersSend,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  const keyring = await sending.keyring();
  const body = await readContent(existing, sending);
  // As a request does: a process that freezes after its checks doesn't send on their results.
  const now = sending.now();
  const readmission = await admitOrRefuse(existing, body, now, sending);
  if (!readmission.ok) return refuse(existing, readmission.reason, sending, log);
  const { email } = readmission;
  const candidate = newSend(existing.endpoint, email, now, sending.settings);
  const send = workersAttempt(existing, candidate);
  const deliveries = emailSuppressedDeliveries(send, email.organization.webhooks, now);
  if (!(await beginAttempt(sending.table, existing, send, deliveries))) return 'lost';
  log.bind({ feedbackId: send.feedbackId });
  if (isTakeover(send)) publishCount('SendInDoubt', { found: 'taken over' });
  if (send.status === 'suppressed') {
    await sending.wakeWebhooks(deliveries);
    await removeContent(send, sending, log);
    return 'suppressed';
  }
  // The address is suppressed, but maybe by the bounce of an earlier attempt: see `send-once.ts`.
  if (email.recipients.isToSuppressed) return 'in_doubt';
  try {
    await handOver({ email, keyring, send, log }, sending);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return outcomeAfterError(send, error.isSendersFault ? refusals : outcomes, sending, log);
  }
  await removeContent(send, sending, log);
  return isTestSend(send) ? 'simulated' : 'sent';
}

type Readmission = AdmittedAgain | { readonly ok: false; readonly reason: string };

const contentMissing = 'ContentMissing';

async function readContent(
  { id, contentId, waitingKey }: WorkersSend,
  { contents }: WaitingSending,
): Promise<unknown> {
  if (contentId === undefined || waitingKey === undefined) return undefined;
  return contents.get(contentPlace(organizationIdOf(id), contentId), waitingKey);
}

async function admitOrRefuse(
  existing: Send,
  body: unknown,
  now: number,
  sending: WaitingSending,
): Promise<Readmission> {
  const organizationId = organizationIdOf(existing.id);
  if (body === undefined) return { ok: false, reason: contentMissing };
  const parsed = parseWithoutErased(body, existing);
  if (!parsed.ok) return { ok: false, reason: requestUnreadable };
  try {
    const isTest = isTestSend(existing);
    const { createdAt: acceptedAt, apiKeyId, fromEmail } = existing;
    const accepted = { acceptedAt, apiKeyId, fromEmail, isTest, now };
    return await admitAgain(organizationId, parsed.value, accepted, sending);
  } catch (error) {
    // The operator restores the key in minutes; until then the send stays due.
    const isLater = error instanceof ServiceError && error.code === 'contact_digest_mismatch';
    if (error instanceof ServiceError && !isLater) return { ok: false, reason: error.code };
    throw error;
  }
}

/**
 * Its moment and headers may have been accepted under older rules. The key comes from the send, because an erasure may
 * have changed it only there.
 */
function asAccepted(body: unknown, { sendAt, createdAt }: Send): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { idempotencyKey: _, ...request }: AcceptedRequest = body;
  const { headers } = request;
  return {
    ...request,
    ...('sendAt' in request && { sendAt: sendAt ?? createdAt }),
    ...(typeof headers === 'object' && headers !== null && { headers: withoutSetHeaders(headers) }),
  };
}

type AcceptedRequest = { readonly idempotencyKey?: unknown; readonly headers?: object | null };

/** Drops recipients that the send no longer names: they were erased after the request came in. */
function parseWithoutErased(stored: unknown, existing: Send): ParsedSendRequest {
  const body = asAccepted(stored, existing);
  const parsed = parseSendRequest(body, existing.idempotencyKey);
  if (!parsed.ok) return parsed;
  const asked = recipientsIn(parsed.value).map(({ identity }) => identity);
  const erased = erasedFrom(existing, asked);
  return erased.length === 0
    ? parsed
    : parseSendRequest(withoutRecipients(body, erased), existing.idempotencyKey);
}

/** The email may not go out now, or ever. */
async function refuse(
  existing: WorkersSend,
  reason: string,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  const { leaseMs } = sending.settings;
  const begin = { claimId: newNonce(), now: sending.now(), leaseMs };
  const next = refusedAttempt(existing, begin, reason);
  const deliveries =
    next.status === 'failed' ? await deliveriesOfFailure(next, reason, sending) : [];
  if (!(await beginAttempt(sending.table, existing, next, deliveries))) return 'lost';
  await sending.wakeWebhooks(deliveries);
  log.info('waiting send refused', { feedbackId: next.feedbackId, reason });
  if (next.status === 'failed') await removeContent(next, sending, log);
  const isOurFault = reason === contentMissing || reason === requestUnreadable;
  return (isOurFault ? outcomes : refusals)[next.status] ?? 'in_doubt';
}

const outcomes: Partial<Record<Send['status'], WaitingOutcome>> = {
  queued: 'postponed',
  failed: 'failed',
  suppressed: 'suppressed',
  sent: 'sent',
};

/** An organization beyond its limits, or whose emails SES refuses, must not ring the alarm of emails that fail. */
const refusals: typeof outcomes = { ...outcomes, queued: 'held_up', failed: 'refused' };

/**
 * Covers an attempt that SES didn't take, or may not have taken. If it failed, a retry may have replaced the send
 * since, and with it what names the content.
 */
async function outcomeAfterError(
  send: Send,
  outcomesOf: typeof outcomes,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  const existing = await getSendInSlot(sending.table, slotIdIn(send.id), sending.now());
  const isStillDue = existing?.dueAt !== undefined && existing.contentId === send.contentId;
  if (!isStillDue) await removeContent(send, sending, log);
  if (existing?.id !== send.id) return 'over';
  return outcomesOf[existing.status] ?? 'in_doubt';
}

/** What the next attempt keeps of the stored send. */
const factsToKeep = ({
  fingerprint,
  idempotencyKey,
  apiKeyId,
  isReadableById,
  endpoint,
  sendAt,
  dueSince,
  giveUpAt,
  contentId,
  attachmentCount,
  attachmentBytes,
  expiresAt,
}: WorkersSend): Partial<SendFacts> => ({
  fingerprint,
  idempotencyKey,
  apiKeyId,
  isReadableById,
  endpoint,
  ...(sendAt !== undefined && { sendAt }),
  ...(dueSince !== undefined && { dueSince }),
  ...(giveUpAt !== undefined && { giveUpAt }),
  ...(contentId !== undefined && { contentId }),
  ...(attachmentCount !== undefined && { attachmentCount }),
  ...(attachmentBytes !== undefined && { attachmentBytes }),
  expiresAt,
});

/** @param candidate the same request's claim, made now: its recipients, sender and words. */
export function workersAttempt(existing: WorkersSend, candidate: ClaimedSend): ClaimedSend {
  const next = nextAttempt(existing, { ...candidate, ...factsToKeep(existing) });
  if (next.status !== 'sending') return next;
  // Workers come back at the end of its lease.
  const { waitingKey } = existing;
  const dueLater = { ...next, dueAt: next.leaseExpiresAt };
  return waitingKey === undefined ? dueLater : { ...dueLater, waitingKey };
}

type AttemptBegin = {
  readonly claimId: string;
  readonly now: number;
  readonly leaseMs: number;
};

/** An attempt that isn't handed to SES, because the send may not go out now. */
export function refusedAttempt(
  existing: WorkersSend,
  { claimId, now, leaseMs }: AttemptBegin,
  reason: string,
): WaitingSend | SendUnderWay | FailedSend {
  const { doubtUntil: _, provenAt: _proven, ...again } = existing;
  const begun = nextAttempt(existing, {
    ...again,
    status: 'sending',
    claimId,
    claimedAt: now,
    leaseExpiresAt: now + leaseMs,
    updatedAt: now,
  });
  const failure = { attempt: begun.attempt, at: now, reason };
  const next = { ...begun, attempts: [...begun.attempts, failure].slice(-maxAttemptsKept) };
  const after = stateAfterFailure({ ...begun, dueAt: now }, reason, now);
  switch (after.kind) {
    case 'held':
      return { ...next, dueAt: next.leaseExpiresAt };
    case 'postponed':
      return { ...next, status: 'queued', dueAt: after.dueAt };
    case 'failed':
      return { ...factsOf(next), status: 'failed' };
  }
}
