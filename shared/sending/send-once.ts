import type { PresentedKey } from '#shared/access/api-key';
import { limitKey, limitOrganization, refusalToStore } from '#shared/access/limit-sending';
import type { RequestContext } from '#shared/access/request-context';
import { ServiceError } from '#shared/errors/service-error';
import { publishCount } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import type { Keyring } from '#shared/tokens/signed-token';
import {
  type AdmittedEmail,
  addressEmail,
  checkEmail,
  countsInOrganization,
  recipientsCounted,
} from './check-email.ts';
import { claimSend, newSend } from './claim.ts';
import { fillInTemplate } from './fill-in-template.ts';
import { handOver, outcomeUnknown } from './hand-over.ts';
import { answerUsedKey, earlierAnswer, type SendResult } from './idempotency-key.ts';
import { sendLater } from './later/send-later.ts';
import { isForLater, type ParsedSendRequest } from './request/send-request.ts';
import { isTakeover, type SendEndpoint, sendResponseOf } from './send.ts';
import { type Asking, readContextOfOne, type SendContext } from './send-context.ts';
import type { Mailing, Sending } from './sending.ts';

// A send from top to bottom, in the order of the first table of "Sending" in `shared/README.md`, whose glossary defines
// lease, attempt, in doubt and takeover. Batches and notices enter at `sendNow`, workers at `handOver`
// (`hand-over.ts`), which calls SES and commits.

export type SendCommand = {
  readonly endpoint: SendEndpoint;
  readonly credential: string | PresentedKey | undefined;
  readonly request: ParsedSendRequest;
  /** In our fields: an email for later is stored in these words. */
  readonly body: unknown;
  readonly context: RequestContext;
} & Pick<Asking, 'scopes'>;

/**
 * Sends exactly once per idempotency key.
 *
 * @throws ServiceError for every answer but 200, or 202 for an email that goes out later.
 */
export async function sendOnce(command: SendCommand, sending: Sending): Promise<SendResult> {
  const { endpoint, request, context } = command;
  const { log } = context;
  const now = sending.now();

  const [sendContext, keyring] = await Promise.all([
    readContextOfOne(sending.table, { ...command, now }, request),
    sending.keyring(),
  ]);

  let email: AdmittedEmail;
  try {
    email = await admitEmail(request, sendContext, now, context, sending);
  } catch (refusal) {
    if (!(refusal instanceof ServiceError)) throw refusal;
    const answer = await earlierAnswer(refusal, endpoint, { ...sendContext, request }, sending);
    if (answer === undefined) throw refusal;
    return answer;
  }

  if (isForLater(email.request)) {
    return sendLater({ endpoint, email, log, body: command.body }, sending);
  }
  return sendNow({ endpoint, email, keyring, log }, now, sending);
}

/**
 * Checks in this order, after key and scope: rate limit, the request itself, organization, attachments, policy, limits,
 * template. Every request of a capped key counts, by its recipients, or as one if it can't be sent; so its own faults
 * come after the cap.
 *
 * @throws ServiceError with the code of the first check that fails.
 */
async function admitEmail(
  request: ParsedSendRequest,
  sendContext: SendContext,
  now: number,
  context: RequestContext,
  sending: Sending,
): Promise<AdmittedEmail> {
  const { apiKey, organization } = sendContext;
  const addressed = addressEmail(request, sendContext);
  const recipients = recipientsCounted(addressed);

  await limitKey(sending.table, apiKey, recipients, now, context);
  const email = await checkEmail(addressed, sendContext, now, sending, context.log);
  const full = refusalToStore(organization, 0, now, sending, apiKey);
  if (full !== undefined) throw full;
  // Emails for later count when they go out.
  if (!isForLater(email.request) && countsInOrganization(email)) {
    await limitOrganization(organization, recipients, now, sending, apiKey);
  }
  const filled = await fillInTemplate(email);
  if (!filled.ok) throw filled.error;
  return filled.email;
}

export type EmailToSend = {
  readonly endpoint: SendEndpoint;
  readonly email: AdmittedEmail;
  readonly keyring: Keyring;
  readonly log: RequestLog;
};

/**
 * Claims, hands over, commits.
 *
 * @throws ServiceError when it wasn't sent, or its outcome is unknown.
 */
export async function sendNow(
  { endpoint, email, keyring, log }: EmailToSend,
  now: number,
  sending: Mailing,
): Promise<SendResult> {
  const candidate = newSend(endpoint, email, now, sending.settings);
  const claimed = await claimSend(sending.table, candidate, {
    subscriptions: email.organization.webhooks,
  });
  if (claimed.kind !== 'claimed') return answerUsedKey(claimed, now);

  const { send, deliveries } = claimed;
  log.bind({ feedbackId: send.feedbackId });
  if (isTakeover(send)) publishCount('SendInDoubt', { found: 'taken over' });
  if (send.status === 'suppressed') {
    await sending.wakeWebhooks(deliveries);
    return { response: sendResponseOf(send, 'suppressed'), replayed: false };
  }
  // To a suppressed address, and yet not `suppressed`: an earlier attempt is in doubt, and its bounce may be why the
  // address is suppressed, so `nextAttempt` holds the send back as `sending`. Nothing goes out; the caller asks again.
  if (email.recipients.isToSuppressed) throw outcomeUnknown(send, undefined, now);

  const response = await handOver({ email, keyring, send, log }, sending);
  return { response, replayed: false };
}
