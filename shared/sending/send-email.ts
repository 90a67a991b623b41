import type { PresentedKey } from '#shared/access/api-key';
import { ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import type { Keyring } from '#shared/tokens/signed-token';
import {
  type AdmissionObserver,
  admit,
  type FilledAdmission,
  readGroundsOfOne,
} from './admission.ts';
import { answerUsedKey, earlierAnswer, judgeClaim, newClaim, type SendResult } from './claim.ts';
import { handOver, outcomeUnknown } from './hand-over.ts';
import { sendLater } from './later/send-later.ts';
import { isForLater, type ParsedSendRequest } from './request/send-request.ts';
import {
  isTakeover,
  type Send,
  type SendEndpoint,
  type SendResponse,
  sendResponseOf,
} from './send.ts';
import { suppressedRows } from './send-outbox.ts';
import type { Mailing, Sending } from './sending.ts';

// Before the claim, `admission.ts` checks the request, and `apply-policy.ts` decides whose address is suppressed.
// `claim.ts` says what is claimed, and what a used key answers. `sending.ts` wires `sending.…`: `claims` is
// `claim-store.ts`, `settlements` is `settlement-store.ts`, `callProvider` is `ses-email-provider.ts`.
//
// Attempt, doubt window (or window), in doubt, takeover: the glossary in `shared/README.md`. `doubtUntil` is the end of
// the takeover's own window; until then the attempt in doubt may be proven accepted.

export type SendCommand = AdmissionObserver & {
  readonly endpoint: SendEndpoint;
  readonly credential: string | PresentedKey | undefined;
  readonly request: ParsedSendRequest;
  readonly readBody: () => unknown;
  readonly log: RequestLog;
};

/**
 * Sends exactly once per idempotency key.
 *
 * Order of effects: claim the key's slot, hand the email to SES (`hand-over.ts`), commit the outcome. A suppressed send
 * ends with its claim. If the process dies in between, the send stays `sending` until its window ends. Until then SES's
 * own events, which name the send, repair it, or mark it as proven if they can't be recorded. If the window ends
 * without an event, SES never took the email. A retry then makes the next attempt under the same id.
 *
 * @throws ServiceError for every answer but 200, or 202 for an email that goes out later.
 */
export async function sendEmail(command: SendCommand, sending: Sending): Promise<SendResult> {
  const { endpoint, request, log } = command;
  const now = sending.now();
  const [grounds, keyring] = await Promise.all([
    readGroundsOfOne(command.credential, request, now, sending, command),
    sending.keyring(),
  ]);
  log.bind({ organizationId: grounds.organization.id });

  let admission: FilledAdmission;
  try {
    admission = await admit(request, grounds, now, sending, command);
  } catch (refusal) {
    // What is refused now may have gone out before: a limit is used up, sending is paused, the template is gone. Then
    // the key's first answer stands. Only refused requests pay for this read.
    if (!(refusal instanceof ServiceError)) throw refusal;
    const answer = await earlierAnswer(refusal, { endpoint, request }, grounds, sending);
    if (answer === undefined) throw refusal;
    return answer;
  }

  if (isForLater(admission.request)) {
    return sendLater({ endpoint, admission, log, body: command.readBody() }, sending);
  }
  return sendAdmitted({ endpoint, admission, keyring, log }, now, sending);
}

type AdmittedEmail = Pick<SendCommand, 'endpoint' | 'log'> & {
  readonly admission: FilledAdmission;
  readonly keyring: Keyring;
};

/**
 * Sends exactly once per idempotency key.
 *
 * @throws ServiceError when it wasn't sent, or its outcome is unknown.
 */
export async function sendAdmitted(
  { endpoint, admission, keyring, log }: AdmittedEmail,
  now: number,
  sending: Mailing,
): Promise<SendResult> {
  const wanted = newClaim(endpoint, admission, now, sending);
  const { webhooks } = admission.organization;
  const rowsOf = (claimed: Send) => suppressedRows(claimed, webhooks, now);
  const claimed = await sending.claims.claim(wanted, judgeClaim, rowsOf);
  if (claimed.kind !== 'claimed') return answerUsedKey(claimed, now);

  const { send } = claimed;
  log.bind({ feedbackId: send.feedbackId });
  if (isTakeover(send)) sending.countDoubt('taken over');
  if (send.status === 'suppressed') {
    await sending.wakeQueue(rowsOf(send));
    return fresh(sendResponseOf(send, 'suppressed'));
  }
  // The address is suppressed, but perhaps by the bounce of an earlier attempt that is still in doubt. Then the send is
  // `sent`. So this attempt sends nothing, and the caller should ask again.
  if (admission.recipients.isToSuppressed) throw outcomeUnknown(send, undefined, now);
  return fresh(await handOver({ admission, keyring, send, log }, sending));
}

const fresh = (response: SendResponse): SendResult => ({ response, replayed: false });
