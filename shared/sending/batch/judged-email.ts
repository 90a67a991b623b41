import type { AttachmentReport } from '#shared/attachments/admit-attachments';
import type { Attachment } from '#shared/attachments/attachment';
import { ServiceError } from '#shared/errors/service-error';
import {
  type AddressedEmail,
  countsInOrganization,
  type FilledAdmission,
  filledIn,
  type Grounds,
  judgeEmail,
} from '../admission.ts';
import { earlierAnswer, knownAnswer, readExisting, type SendResult } from '../claim.ts';
import { requireMomentInReach } from '../later/send-later.ts';
import { isForLater } from '../request/send-request.ts';
import type { Sending } from '../sending.ts';

/** The answer a single request would have got. */
export type Outcome =
  | ({ readonly ok: true; readonly idempotencyKey: string | undefined } & SendResult)
  | {
      readonly ok: false;
      readonly idempotencyKey: string | undefined;
      readonly error: ServiceError;
    };

/** An email that may go out, or whose outcome is already known. */
export type Judged =
  | { readonly kind: 'admitted'; readonly admission: FilledAdmission }
  | { readonly kind: 'settled'; readonly outcome: Outcome; readonly isFault?: boolean };

/** The same as `POST /emails/send`, so that retrying one email alone replays what its batch sent. */
export const endpoint = 'send';

export async function judge(
  email: AddressedEmail,
  grounds: Grounds,
  now: number,
  onAttachments: (report: AttachmentReport) => void,
  sending: Sending,
): Promise<Judged> {
  const idempotencyKey = email.request.ok ? email.request.value.idempotencyKey : undefined;
  const settled = (error: ServiceError, isFault = isFaultOf(error)) =>
    ({ kind: 'settled', outcome: { ok: false, idempotencyKey, error }, isFault }) as const;
  const admitted = await orRefused(async () => {
    const admission = await judgeEmail(email, grounds, now, sending, { onAttachments });
    const { sendAt = now } = admission.request;
    const seen = sendAt < now ? await readExisting(admission, now, sending) : undefined;
    requireMomentInReach(admission.request, seen, now);
    return filledIn(admission);
  });
  if (!(admitted instanceof ServiceError)) return { kind: 'admitted', admission: admitted };
  // It may have gone out before: see `send-email.ts`.
  const asked = { endpoint, request: email.request } as const;
  const known = await orRefused(() => earlierAnswer(admitted, asked, grounds, sending));
  if (known === undefined) return settled(admitted, true);
  if (known instanceof ServiceError) return settled(known);
  return { kind: 'settled', outcome: { ok: true, idempotencyKey, ...known } };
}

/** The key was used for a different body. Unlike with an attempt under way, waiting doesn't help. */
const isFaultOf = ({ code }: ServiceError): boolean => code === 'idempotency_key_reused';

/** Recipients that count towards the organization's limits now. Emails for later count later. */
export const recipientsNow = (email: Judged, recipients = 0): number =>
  email.kind === 'admitted' &&
  !isForLater(email.admission.request) &&
  countsInOrganization(email.admission)
    ? recipients
    : 0;

/** Bytes of attachments in memory at once. Each byte is held about five times, up to the body of the call to SES. */
export const attachmentBytesAtOnce = 64 * 1024 * 1024;

/** An upper bound: the size of files behind URLs isn't known yet. */
export const mostAttachmentBytes = (
  { request, attachments: { totalBytes } }: FilledAdmission,
  { attachmentLimits }: Pick<Sending, 'attachmentLimits'>,
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
export async function answerIfKnown(email: Judged, sending: Sending): Promise<Judged> {
  if (email.kind === 'settled') return email;
  const known = await orRefused(() =>
    knownAnswer(endpoint, email.admission, sending.now(), sending),
  );
  if (known === undefined) return email;
  return known instanceof ServiceError
    ? settledAs(email, { ok: false, error: known }, isFaultOf(known))
    : settledAs(email, { ok: true, ...known });
}

type Answer = { readonly ok: true } & SendResult;
type Refusal = { readonly ok: false; readonly error: ServiceError };

export const isAnswered = (email: Judged): boolean => email.kind === 'settled' && email.outcome.ok;

export function settledAs(email: Judged, outcome: Answer | Refusal, isFault = false): Judged {
  if (email.kind === 'settled') return email;
  const { idempotencyKey } = email.admission.request;
  return { kind: 'settled', outcome: { idempotencyKey, ...outcome }, isFault };
}
