import type { Attachment } from '#shared/attachments/attachment';
import { ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import {
  type AddressedEmail,
  type AdmittedEmail,
  checkEmail,
  countsInOrganization,
} from '../check-email.ts';
import { fillInTemplate } from '../fill-in-template.ts';
import { answerBy, earlierAnswer, existingSend, type SendResult } from '../idempotency-key.ts';
import { requireMomentInReach } from '../later/send-later.ts';
import { isForLater } from '../request/send-request.ts';
import type { SendContext } from '../send-context.ts';
import type { Attachments, Sending } from '../sending.ts';

/** The answer a single request would have got. */
export type Outcome =
  | ({ readonly ok: true; readonly idempotencyKey: string | undefined } & SendResult)
  | {
      readonly ok: false;
      readonly idempotencyKey: string | undefined;
      readonly error: ServiceError;
    };

/** An email that may go out, or whose outcome is already known. */
export type BatchEmail =
  | { readonly kind: 'admitted'; readonly email: AdmittedEmail }
  | { readonly kind: 'settled'; readonly outcome: Outcome; readonly isFault?: boolean };

/** The same as `POST /emails/send`, so that retrying one email alone replays what its batch sent. */
export const endpoint = 'send';

export async function checkBatchEmail(
  addressed: AddressedEmail,
  sendContext: SendContext,
  now: number,
  log: RequestLog,
  sending: Sending,
): Promise<BatchEmail> {
  const { request } = addressed;
  const idempotencyKey = request.ok ? request.value.idempotencyKey : undefined;
  const settled = (error: ServiceError, isFault = isFaultOf(error)) =>
    ({ kind: 'settled', outcome: { ok: false, idempotencyKey, error }, isFault }) as const;
  const admitted = await orRefused(async () => {
    const email = await checkEmail(addressed, sendContext, now, sending, log);
    const { sendAt = now } = email.request;
    const asking = { ...sendContext, request };
    const seen = sendAt < now ? await existingSend(sending.table, asking, now) : undefined;
    requireMomentInReach(email.request, seen, now);
    const filled = await fillInTemplate(email);
    if (!filled.ok) throw filled.error;
    return filled.email;
  });
  if (!(admitted instanceof ServiceError)) return { kind: 'admitted', email: admitted };
  // It may have gone out before.
  const known = await orRefused(() =>
    earlierAnswer(admitted, endpoint, { ...sendContext, request }, sending),
  );
  if (known === undefined) return settled(admitted, true);
  if (known instanceof ServiceError) return settled(known);
  return { kind: 'settled', outcome: { ok: true, idempotencyKey, ...known } };
}

/** The key was used for a different body. Unlike with an attempt under way, waiting doesn't help. */
const isFaultOf = ({ code }: ServiceError): boolean => code === 'idempotency_key_reused';

/** Recipients that count towards the organization's limits now. Emails for later count later. */
export const recipientsNow = (one: BatchEmail, recipients = 0): number =>
  one.kind === 'admitted' && !isForLater(one.email.request) && countsInOrganization(one.email)
    ? recipients
    : 0;

/** Bytes of attachments in memory at once. Each byte is held about five times, up to the body of the call to SES. */
export const attachmentBytesAtOnce = 64 * 1024 * 1024;

/** An upper bound: the size of files behind URLs isn't known yet. */
export const maxAttachmentBytes = (
  { request, attachments: { totalBytes } }: AdmittedEmail,
  { attachmentLimits }: Pick<Attachments, 'attachmentLimits'>,
): number => (request.attachments.some(isBehindUrl) ? attachmentLimits.maxTotalBytes : totalBytes);

export const isBehindUrl = ({ content }: Attachment): boolean => content.kind === 'url';

export async function orRefused<Value>(work: () => Promise<Value>): Promise<Value | ServiceError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** Reads the email's send, if it has a key. */
export async function answerIfKnown(one: BatchEmail, sending: Sending): Promise<BatchEmail> {
  if (one.kind === 'settled') return one;
  const known = await orRefused(() => knownAnswer(one, sending));
  if (known === undefined) return one;
  return known instanceof ServiceError
    ? settledAs(one, { ok: false, error: known }, isFaultOf(known))
    : settledAs(one, { ok: true, ...known });
}

export type Admitted = Extract<BatchEmail, { kind: 'admitted' }>;

/**
 * Answers without a claim.
 *
 * @throws ServiceError as `answerBy`.
 */
export async function knownAnswer(
  { email }: Admitted,
  { table, now: readClock }: Sending,
): Promise<SendResult | undefined> {
  const now = readClock();
  const asking = { ...email, request: { ok: true, value: email.request } } as const;
  return answerBy(await existingSend(table, asking, now), endpoint, asking, now);
}

type Answer = { readonly ok: true } & SendResult;
type Refusal = { readonly ok: false; readonly error: ServiceError };

export const isAnswered = (email: BatchEmail): boolean =>
  email.kind === 'settled' && email.outcome.ok;

export function settledAs(one: BatchEmail, outcome: Answer | Refusal, isFault = false): BatchEmail {
  if (one.kind === 'settled') return one;
  const { idempotencyKey } = one.email.request;
  return { kind: 'settled', outcome: { idempotencyKey, ...outcome }, isFault };
}
