import * as z from 'zod/mini';
import { erasedAddress } from '#shared/contacts/erased-address';
import { readableMailbox } from '#shared/contacts/mailbox';
import { untrackedSchema } from '#shared/organizations/organization';
import {
  apiKeyIdSchema,
  feedbackIdSchema,
  sendIdSchema,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import { eventAttributes } from './event-attributes.ts';
import { storedSendOptions } from './send-options.ts';

/**
 * The status of a send:
 *
 * | from                  | to                                             | when                                                       |
 * |-----------------------|------------------------------------------------|------------------------------------------------------------|
 * | (none, or expired)    | `sending`                                      | a request claims the slot: attempt 1                       |
 * | (none, or expired)    | `suppressed`                                   | the policy forbids an email to the `to` address            |
 * | (none, or expired)    | `scheduled`                                    | a request asks for a later moment: no attempt yet          |
 * | (none, or expired)    | `queued`                                       | a request asks for the queue: no attempt yet               |
 * | `scheduled`, `queued` | `sending`                                      | its moment has come: a worker makes the next attempt       |
 * | `scheduled`, `queued` | `suppressed`, `failed`                         | its moment has come, and it may not go out                 |
 * | `scheduled`, `queued` | `canceled`                                     | somebody called it off, or the person was erased           |
 * | `sending`             | `queued`                                       | a worker's attempt sent nothing, and another may           |
 * | `sending`             | `sent`                                         | SES accepted it: its answer says so, or any event          |
 * | `sending`             | `failed`                                       | SES refused it, and no earlier attempt is in doubt         |
 * | `sending`, lease over | `sending`, `suppressed`, `scheduled`, `queued` | a retry takes the send over: the next attempt              |
 * | `failed`              | `sending`                                      | a retry with the key: the next attempt                     |
 * | `failed`              | `scheduled`, `queued`                          | a retry with the key that doesn't send itself              |
 * | `failed`              | `suppressed`                                   | a retry with the key, and the address is suppressed by now |
 * | all others but `sent` | `sent`                                         | a late event proves that an earlier attempt was accepted   |
 * | `sent`                | `failed`                                       | SES accepted it, then rejected the content (Reject event)  |
 *
 * No other event changes it: a send that bounced is `sent`. What became of the message is its outcome: see
 * `send-history/outcome.ts`.
 *
 * A send may stay in doubt for good. It is never written as `failed`; `stateAt` derives that on reading.
 *
 * While a send has a `dueAt`, workers send it, and nobody else: see `later/waiting.ts`.
 */
export const sendStatuses = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'suppressed',
  'failed',
  'canceled',
] as const;
export type SendStatus = (typeof sendStatuses)[number];

/** How usage counts a send: `send-global` by the endpoint of that name, `send` by all others. */
export const sendEndpoints = ['send', 'send-global'] as const;
export type SendEndpoint = (typeof sendEndpoints)[number];

const suppressedRecipientSchema = z.object({ email: z.string(), reason: z.string() });
/** An address left out of a send, and why (`bounce`, `unsubscribe`, …). */
export type SuppressedRecipient = z.infer<typeof suppressedRecipientSchema>;

export type Acceptance = {
  readonly providerMessageId: string;
  readonly at: number;
  /** Absent if the claim already has it. Only the attempt that handed the email over knows it. */
  readonly attachmentBytes?: number;
};

export const failedAttemptSchema = z.object({
  attempt: z.int(),
  /** When the failure became known, in epoch milliseconds. */
  at: z.int(),
  /** SES's name for the failure, such as `MessageRejected`, or ours. */
  reason: z.string(),
  /** Present if SES accepted the message before rejecting its content: its id, and when it was accepted. */
  providerMessageId: z.optional(z.string()),
  sentAt: z.optional(z.int()),
});
/**
 * An attempt that sent nothing, or nothing that was delivered. `Unanswered`: no answer came before a retry took over,
 * so it may yet be proven accepted.
 */
export type FailedAttempt = z.infer<typeof failedAttemptSchema>;

/** A client that never stops retrying must not make the send large. */
export const maxAttemptsKept = 20;

/** What a send may have in any state. */
export const sendFactsSchema = z.object({
  id: sendIdSchema,
  feedbackId: feedbackIdSchema,
  /**
   * Counts from 1; 0 while a send waits for its first attempt. The fencing token: each write of an attempt requires it.
   */
  attempt: z.int(),
  /** Recognises a repeated write after a lost answer. */
  claimId: z.string(),
  claimedAt: z.int(),
  /** Then the attempt's lease ends, and a retry may take the send over. */
  leaseExpiresAt: z.int(),
  /** Until when an earlier attempt in doubt may still be proven accepted. */
  doubtUntil: z.optional(z.int()),
  attempts: z._default(z.array(failedAttemptSchema), []),
  /** Equal for two requests that ask for the same: see `fingerprint.ts`. */
  fingerprint: z.string(),
  fromEmail: z.string(),
  fromName: z.optional(z.string()),
  toEmail: z.string(),
  moreTo: z._default(z.array(z.string()), []),
  cc: z._default(z.array(z.string()), []),
  bcc: z._default(z.array(z.string()), []),
  subject: z.string(),
  policyKey: z.string(),
  idempotencyKey: z.optional(z.string()),
  /** The key that made the last attempt. */
  apiKeyId: z.optional(apiKeyIdSchema),
  /** The send's key has no scopes, so the id alone is enough to read it. */
  isReadableById: z.boolean(),
  suppressedRecipients: z._default(z.array(suppressedRecipientSchema), []),
  /**
   * Set if the organization didn't know every recipient when the attempt began: the Send event makes sure their
   * contacts are stored.
   */
  hasNewRecipients: z.optional(z.literal(true)),
  /** With the names of missing variables, at most 50. */
  templateId: z.optional(templateIdSchema),
  templateVersion: z.optional(z.int()),
  /** Absent for the template's own language. */
  templateLocale: z.optional(z.string()),
  missingVariables: z.optional(z.array(z.string())),
  ...storedSendOptions,
  /** Off by the organization's settings. The email's own switches are in `tracking`. */
  untracked: z.optional(untrackedSchema),
  /** If the attempt's content is kept: for how many days, and the key that seals it (`kept-content.ts`). */
  contentDays: z.optional(z.int()),
  contentKey: z.optional(z.string()),
  /** The send whose content this one repeats, and the sends that repeat this one's. */
  resendOf: z.optional(sendIdSchema),
  resentAs: z.optional(z.array(sendIdSchema)),
  endpoint: z.enum(sendEndpoints),
  /** Made with a test key: our simulator plays SES. */
  test: z.optional(z.literal(true)),
  attachmentCount: z.optional(z.int()),
  /** Decoded size of all attachments together. */
  attachmentBytes: z.optional(z.int()),
  ...eventAttributes,
  /** When it was to go out, if the request said so. Epoch milliseconds, like the next two. */
  sendAt: z.optional(z.int()),
  /** When it was due first, also after it was moved. */
  dueSince: z.optional(z.int()),
  /** When workers stop retrying what SES doesn't take. */
  giveUpAt: z.optional(z.int()),
  /** Names the request in the bucket that workers send. */
  contentId: z.optional(z.string()),
  createdAt: z.int(),
  updatedAt: z.int(),
  /**
   * How often the idempotency key has been freed (`freeKey`). Absent while the key leads to this send. The send in the
   * key's own slot keeps counting, and so says which slot the key leads to now (`freedSlotIdOf`). Any other keeps the
   * count from when it lost the key, as a tombstone: a retry that read it earlier makes no attempt of it (`hasKey`).
   */
  freed: z.optional(z.int()),
  /** Since when reads hide the send, though its key still needs it. Epoch seconds. */
  forgottenAt: z.optional(z.int()),
  /** When the send is deleted with all it owns, including its idempotency key. Epoch seconds. */
  expiresAt: z.int(),
});
export type SendFacts = z.infer<typeof sendFactsSchema>;

const none = z.optional(z.never());

const noMessage = {
  providerMessageId: none,
  sentAt: none,
  /**
   * When SES was first known to have the email without a known message id: its pixel or link was fetched, or an event
   * about it couldn't be recorded.
   */
  provenAt: z.optional(z.int()),
};

/** Absent once workers have given the send up. */
const whileDue = {
  /** When workers look at it next. Epoch milliseconds. */
  dueAt: z.optional(z.int()),
  /** Decrypts the request in the bucket. */
  waitingKey: z.optional(z.string()),
};
const notDue = { dueAt: none, waitingKey: none };

const waiting = z.object({ status: z.enum(['scheduled', 'queued']), ...noMessage, ...whileDue });
/** It has a `dueAt` if the attempt is a worker's. */
const underWay = z.object({ status: z.literal('sending'), ...noMessage, ...whileDue });
const sent = z.object({
  status: z.literal('sent'),
  providerMessageId: z.string(),
  sentAt: z.int(),
  provenAt: none,
  ...notDue,
});
const failed = z.object({
  status: z.literal('failed'),
  ...noMessage,
  /** Present if SES rejected the message after accepting it. */
  providerMessageId: z.optional(z.string()),
  sentAt: z.optional(z.int()),
  ...notDue,
});
const ended = z.object({ status: z.enum(['suppressed', 'canceled']), ...noMessage, ...notDue });

/** What depends on the status. A stored send that has anything else is reported as unreadable. */
export const sendStateSchema = z.discriminatedUnion('status', [
  waiting,
  underWay,
  sent,
  failed,
  ended,
]);
type SendState = z.infer<typeof sendStateSchema>;
export type StateOf<Status extends SendStatus, State = SendState> = State extends SendState
  ? Extract<Status, State['status']> extends never
    ? never
    : State
  : never;

export type WaitingSend = SendFacts & z.infer<typeof waiting>;
export type SendUnderWay = SendFacts & z.infer<typeof underWay>;
export type SentSend = SendFacts & z.infer<typeof sent>;
export type FailedSend = SendFacts & z.infer<typeof failed>;
export type EndedSend = SendFacts & z.infer<typeof ended>;
export type Send = WaitingSend | SendUnderWay | SentSend | FailedSend | EndedSend;

/** As a claim writes it: no message is known yet. */
export type ClaimedSend = WaitingSend | SendUnderWay | EndedSend;

/** Without what depends on the status. */
export function factsOf({
  status: _status,
  providerMessageId: _message,
  sentAt: _sentAt,
  provenAt: _provenAt,
  dueAt: _dueAt,
  waitingKey: _key,
  ...facts
}: Send): SendFacts {
  return facts;
}

export type Addressed = Pick<Send, 'toEmail' | 'moreTo' | 'cc' | 'bcc'>;

export const toOf = ({ toEmail, moreTo }: Pick<Send, 'toEmail' | 'moreTo'>): readonly string[] => [
  toEmail,
  ...moreTo,
];

export const fromOf = ({ fromEmail, fromName }: Pick<Send, 'fromEmail' | 'fromName'>): string =>
  readableMailbox({ name: fromName, address: { address: fromEmail } });

/** The first `to` that gets the email, or the first of all if none does. Either may have been erased. */
export function firstMailedOf(
  send: Pick<Send, 'toEmail' | 'moreTo' | 'suppressedRecipients'>,
): string {
  const isSuppressed = (address: string) =>
    address !== erasedAddress && send.suppressedRecipients.some(({ email }) => email === address);
  return toOf(send).find((address) => !isSuppressed(address)) ?? send.toEmail;
}

export const addressesIn = (send: Addressed): readonly string[] => [
  ...toOf(send),
  ...send.cc,
  ...send.bcc,
];

export const ownerOf = ({ feedbackId, expiresAt }: Pick<Send, 'feedbackId' | 'expiresAt'>) => ({
  parent: feedbackId,
  expiresAt,
});

/** The failure reason of a send whose lease ended without any sign that SES took the email. */
export const notAccepted = 'not_accepted';

export const failureOf = ({
  attempt,
  attempts,
}: Pick<Send, 'attempt' | 'attempts'>): FailedAttempt | undefined =>
  attempts.at(-1)?.attempt === attempt ? attempts.at(-1) : undefined;

type ShownState = { readonly status: SendStatus; readonly failureReason?: string };

/**
 * A send whose email is proven to be out is `sent`. One not proven within its lease is `failed`, for SES's reason if
 * it gave one, unless workers are still sending it.
 */
export function stateAt(send: Send, now: number): ShownState {
  const isLeaseOver = now >= send.leaseExpiresAt;
  const mayBeUnderWay = send.status === 'sending' && !isLeaseOver;
  if (send.provenAt !== undefined && !mayBeUnderWay) return { status: 'sent' };
  switch (send.status) {
    case 'sending':
      return isLeaseOver && send.dueAt === undefined
        ? { status: 'failed', failureReason: failureOf(send)?.reason ?? notAccepted }
        : { status: 'sending' };
    case 'failed': {
      const failureReason = send.attempts.at(-1)?.reason;
      return { status: 'failed', ...(failureReason !== undefined && { failureReason }) };
    }
    case 'scheduled':
    case 'queued':
    case 'sent':
    case 'suppressed':
    case 'canceled':
      return { status: send.status };
  }
}

/** Workers have made no attempt yet, or only ones that SES certainly didn't take. */
export const isWaiting = (send: Send): send is WaitingSend =>
  send.status === 'scheduled' || send.status === 'queued';

/** `nextAttempt` sets `doubtUntil` to the new lease's end if the last attempt got no answer. */
export const isTakeover = ({ doubtUntil, leaseExpiresAt }: Send): boolean =>
  doubtUntil === leaseExpiresAt;

export const mayEarlierBeProven = ({ doubtUntil }: Send, now: number): boolean =>
  doubtUntil !== undefined && now < doubtUntil;

/** Whether no attempt can turn out to have sent an email that we don't know of yet. */
export const isSettled = (send: Send, now: number): boolean =>
  stateAt(send, now).status === 'sent' ||
  (send.status !== 'sending' && !isWaiting(send) && send.doubtUntil === undefined);

type AcceptanceKind = 'known' | 'first' | 'further';

export function classifyAcceptance(send: Send, providerMessageId: string): AcceptanceKind {
  const isKnown =
    send.providerMessageId === providerMessageId ||
    send.attempts.some((failed) => failed.providerMessageId === providerMessageId);
  if (isKnown) return 'known';
  const hasMessage = send.providerMessageId !== undefined && send.status !== 'failed';
  return hasMessage ? 'further' : 'first';
}

export const sendResponseSchema = z.object({
  sendId: sendIdSchema,
  status: z.enum(sendStatuses),
  messageId: z.optional(z.string()),
  sendAt: z.optional(z.int()),
  suppressedRecipients: z.optional(z.array(suppressedRecipientSchema)),
  missingVariables: z.optional(z.array(z.string())),
  test: z.optional(z.literal(true)),
});
export type SendResponse = z.infer<typeof sendResponseSchema>;

/** `reused`: an earlier request with the same key got this answer. */
export const sendAnswerSchema = z.extend(sendResponseSchema, { reused: z.boolean() });

export const sendResponseOf = (
  send: Send,
  status: SendStatus,
  providerMessageId = send.providerMessageId,
): SendResponse => ({
  sendId: send.id,
  status,
  ...(providerMessageId !== undefined && { messageId: providerMessageId }),
  ...(status === 'scheduled' && send.sendAt !== undefined && { sendAt: send.sendAt }),
  ...(send.suppressedRecipients.length > 0 && { suppressedRecipients: send.suppressedRecipients }),
  ...(send.missingVariables !== undefined && { missingVariables: send.missingVariables }),
  ...(send.test && { test: send.test }),
});

export const isTestSend = ({ test }: Pick<Send, 'test'>): boolean => test === true;
