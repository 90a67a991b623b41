import { isForWorkers, type WorkersSend } from '#shared/sending/later/waiting';
import {
  type ClaimedSend,
  isWaiting,
  type Send,
  type SendUnderWay,
  sendStateSchema,
  type WaitingSend,
} from '#shared/sending/send';
import {
  feedbackIdOf,
  newNonce,
  newOrganizationId,
  type OrganizationId,
  type SendId,
  sendIdOf,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { farExpiry } from './delivery-builder.ts';

/** How long an attempt's outcome may be unknown. */
export const leaseMs = 300_000;

/** The id of a new send without an idempotency key. */
export const newSendId = (organizationId: OrganizationId): SendId =>
  sendIdOf(slotIdOf(organizationId, undefined), newNonce());

/** Any attributes. Those that the status requires are filled in, and those that it forbids are refused. */
export type SendGiven = { readonly [Name in keyof Send]?: Send[Name] };

/** A send that was claimed a moment ago, without an idempotency key. */
export function buildSend(given?: SendGiven & { readonly status?: 'sending' }): SendUnderWay;
export function buildSend(given: SendGiven): Send;
export function buildSend(given: SendGiven = {}): Send {
  const {
    status = 'sending',
    providerMessageId,
    sentAt,
    provenAt,
    dueAt,
    waitingKey,
    ...facts
  } = given;
  const id = facts.id ?? newSendId(newOrganizationId());
  const claimedAt = facts.claimedAt ?? 1_700_000_000_000;
  const message = status === 'sent' ? { providerMessageId: 'message-1', sentAt: claimedAt } : {};
  const state = { providerMessageId, sentAt, provenAt, dueAt, waitingKey };
  const known = Object.entries(state).filter(([, value]) => value !== undefined);
  return {
    id,
    feedbackId: feedbackIdOf(id),
    attempt: 1,
    claimId: newNonce(),
    claimedAt,
    leaseExpiresAt: claimedAt + leaseMs,
    attempts: [],
    fingerprint: 'request-1',
    fromEmail: 'hello@mail.example.com',
    toEmail: 'ann@example.com',
    moreTo: [],
    cc: [],
    bcc: [],
    subject: 'Your receipt',
    policyKey: 'transactional',
    isReadableById: true,
    suppressedRecipients: [],
    endpoint: 'send',
    createdAt: claimedAt,
    updatedAt: claimedAt,
    expiresAt: farExpiry,
    ...facts,
    ...sendStateSchema.parse({ status, ...message, ...Object.fromEntries(known) }),
  };
}

// The state in which a test knows its send to be.

export function asWaiting(send: Send): WaitingSend {
  if (!isWaiting(send)) throw new Error(`The send is ${send.status}`);
  return send;
}

export function asDue(send: Send): WorkersSend {
  if (!isForWorkers(send)) throw new Error('The send has no dueAt');
  return send;
}

export function asClaimed(send: Send): ClaimedSend {
  if (send.status === 'sent' || send.status === 'failed') throw new Error(`It is ${send.status}`);
  return send;
}
