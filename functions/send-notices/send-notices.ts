import { parseEmailAddress } from '#shared/contacts/email-address';
import { ServiceError } from '#shared/errors/service-error';
import type { DueNoticeStore, NoticeOutcome } from '#shared/notices/due-notice-store';
import { type Notice, sendKeyOf } from '#shared/notices/notice';
import type { RequestLog } from '#shared/observability/request-log';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { admitServiceEmail, type ServiceMailing } from '#shared/sending/admit-service-email';
import { sendAdmitted } from '#shared/sending/send-email';
import type { Mailing } from '#shared/sending/sending';
import { backoffCeiling } from '#shared/timing/backoff';

export type NoticeSending = Mailing &
  ServiceMailing & {
    readonly organizations: OrganizationStore;
    readonly dueNotices: DueNoticeStore;
  };

/** A run begins no email later than this after its start. The next run goes on. */
export const workMs = 45_000;

const firstDelayMs = 5 * 60_000;
const longestDelayMs = 6 * 3_600_000;

/**
 * Sends the notices that are due, each by the send path itself, from the organization's own identity. Its
 * idempotency key names cause and day. So a run that dies before it has settled a notice, or two runs at once,
 * send no second email.
 *
 * What the organization itself may not send, as it has lost its domain or is paused, comes from the deployment's
 * own address. A notice that cannot be sent now is tried again until it expires.
 */
export async function sendNotices(sending: NoticeSending, log: RequestLog): Promise<void> {
  const startedAt = sending.now();
  for (const notice of await sending.dueNotices.find(startedAt)) {
    if (sending.now() - startedAt >= workMs) return;
    const { organizationId, cause } = notice;
    try {
      const outcome = await sendNotice(notice, sending, log);
      await sending.dueNotices.settle(notice, outcome);
      log.info('notice settled', { organizationId, cause, outcome });
    } catch (error) {
      // One organization's notice must not hold up the others'.
      log.error('notice not sent', error, { organizationId, cause });
      await postpone(notice, sending).catch((failure: unknown) =>
        log.error('notice not postponed', failure, { organizationId, cause }),
      );
    }
  }
}

async function sendNotice(
  notice: Notice,
  sending: NoticeSending,
  log: RequestLog,
): Promise<NoticeOutcome> {
  const { organizationId, subject, text } = notice;
  const { noticeEmail } = (await sending.organizations.get(organizationId)) ?? {};
  const to = noticeEmail === undefined ? undefined : parseEmailAddress(noticeEmail);
  if (to === undefined || !to.ok) return 'unaddressed';
  const email = { to: to.value, subject, text, idempotencyKey: sendKeyOf(notice) };
  const [admission, keyring] = await Promise.all([
    admitServiceEmail(organizationId, email, sending),
    sending.keyring(),
  ]);
  try {
    const { response } = await sendAdmitted(
      { endpoint: 'send', admission, keyring, log },
      sending.now(),
      sending,
    );
    return response.status === 'suppressed' ? 'suppressed' : 'sent';
  } catch (error) {
    // One of the same cause and day went out, with other figures or to another address.
    if (error instanceof ServiceError && error.code === 'idempotency_key_reused') return 'known';
    throw error;
  }
}

function postpone(notice: Notice, { dueNotices, now }: NoticeSending): Promise<void> {
  const delay = backoffCeiling(notice.attempts + 1, firstDelayMs, longestDelayMs, 2);
  return dueNotices.postpone(notice, now() + delay);
}
