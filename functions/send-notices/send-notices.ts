import type * as z from 'zod/mini';
import { maySignIn } from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';
import { noticeEnvironment } from '#shared/config/environment';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { defineFunction } from '#shared/endpoints/background-function';
import { statusOf } from '#shared/errors/errors';
import { ServiceError, toServiceError } from '#shared/errors/service-error';
import { postsAlerts } from '#shared/notice-targets/post-alert';
import { confirmationText, isStillPending } from '#shared/notices/confirmation';
import { requestConfirmationBeside } from '#shared/notices/confirmation-store';
import {
  admitNotice,
  claimNotice,
  findDueNotices,
  type NoticeOutcome,
  postponeNotice,
  settleNotice,
} from '#shared/notices/due-notice-store';
import { isToPerson, mayComeFromDeployment, type Notice, sendKeyOf } from '#shared/notices/notice';
import { invitationText } from '#shared/notices/people-notice';
import type { RequestLog } from '#shared/observability/request-log';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import {
  admitServiceEmail,
  type ServiceEmail,
  type ServiceMailing,
} from '#shared/sending/admit-service-email';
import { sendNow } from '#shared/sending/send-once';
import { type Mailing, openMailing } from '#shared/sending/sending';
import { mailedLinkPartitions } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { backoffCeiling } from '#shared/timing/backoff';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import {
  type AlertDelivery,
  deliverAlerts,
  fileCopies,
  isTargeted,
  type TargetedNotice,
} from './deliver-alerts.ts';
import { mailSignInLinks } from './mail-sign-in-links.ts';

export type NoticeSending = Mailing & ServiceMailing & AlertDelivery;

/** `admit-service-email.ts` ensures that. */
const neverKept = async () => {
  throw new Error('A notice is not kept');
};

/** Other functions only file notices, and sign-in links; this sends them. */
export const backgroundFunction = defineFunction(
  {
    trigger: 'schedule',
    uses: (_table: Table, environment: z.output<typeof noticeEnvironment>) => ({
      ...openMailing(environment),
      keptContents: { put: neverKept },
      noticeFromEmail: environment.NOTICE_FROM_EMAIL,
      alerts: postsAlerts.open(environment),
    }),
    lambda: {
      tableActions: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
      queriesIndexes: ['gsi1'],
      writesOnlyIn: { DeleteItem: [mailedLinkPartitions] },
      writesAudit: true,
      readsSecrets: ['tokenSigningKey'],
      sendsEmail: true,
      environment: noticeEnvironment,
      wakesWebhookQueue: true,
      timeoutSeconds: 90,
    },
  },
  sendNotices,
);

/** A run starts no email after this; the next run continues. */
export const workMs = 45_000;

/** Nor an attempt at a target, which lasts some seconds at most, after this. */
const alertsMs = 70_000;

const firstDelayMs = 5 * 60_000;
const longestDelayMs = 6 * 3_600_000;

/**
 * Sign-in links first, since somebody waits for them. Then one notice of each organization, then the next of each, so
 * none waits for another's backlog. A notice takes the send path, with a slot per cause and day, so neither a run that
 * dies before settling it nor two concurrent runs send it twice.
 *
 * Only a confirmed address gets notices, and once more when it's replaced. The deployment's own address reports that an
 * organization can't send because it lost its domain or is paused. Other notices are retried until they expire.
 *
 * Copies for targets come last, each tried on its own: none of them can hold up an email.
 *
 * @throws Error if some failed and none succeeded: an alarm counts runs that die. A target that can't be reached is its
 *   organization's affair.
 */
export async function sendNotices(sending: NoticeSending, log: RequestLog): Promise<void> {
  await mailSignInLinks(sending, log).catch((error: unknown) =>
    log.error('sign-in links not read', error),
  );
  const copies: TargetedNotice[] = [];
  const startedAt = sending.now();
  const results = await attendAll(sending, copies, log);
  const until = startedAt + alertsMs;
  await deliverAlerts(copies, sending, until, (copy) => claim(copy, sending), log);
  if (results.includes('failed') && !results.includes('settled')) {
    throw new Error('no notice could be sent');
  }
}

/** Adds the copies for targets that are due. */
async function attendAll(
  sending: NoticeSending,
  copies: TargetedNotice[],
  log: RequestLog,
): Promise<readonly Attended[]> {
  const results: Attended[] = [];
  const startedAt = sending.now();
  const isOver = () => sending.now() - startedAt >= workMs;
  let waiting: (readonly Notice[])[] = [];
  const onUnread = (error: unknown) => log.error('notice not read', error);
  for await (const due of findDueNotices(sending.table, startedAt, onUnread)) {
    if (isOver()) return results;
    copies.push(...due.filter(isTargeted));
    const [first, ...others] = due.filter((notice) => !isTargeted(notice));
    if (first !== undefined) results.push(await attend(first, sending, copies, log));
    if (others.length > 0) waiting.push(others);
  }
  while (waiting.length > 0) {
    const round = waiting;
    waiting = [];
    for (const [next, ...others] of round) {
      if (isOver()) return results;
      if (next !== undefined) results.push(await attend(next, sending, copies, log));
      if (others.length > 0) waiting.push(others);
    }
  }
  return results;
}

/** `waits`: its organization can't send, or SES is busy. */
type Attended = 'settled' | 'waits' | 'failed';

/** One organization's notice must not hold up the others'. */
async function attend(
  notice: Notice,
  sending: NoticeSending,
  copies: TargetedNotice[],
  log: RequestLog,
): Promise<Attended> {
  const { organizationId, cause } = notice;
  try {
    copies.push(...(await fileCopies(notice, sending, log)));
    const outcome = await sendNotice(notice, sending, log);
    await settleNotice(sending.table, notice, outcome);
    log.info('notice settled', { organizationId, cause, outcome });
    return 'settled';
  } catch (error) {
    log.error('notice not sent', error, { organizationId, cause });
    await postpone(notice, sending).catch((failure: unknown) =>
      log.error('notice not postponed', failure, { organizationId, cause }),
    );
    return statusOf(toServiceError(error).code) < 500 ? 'waits' : 'failed';
  }
}

async function sendNotice(
  notice: Notice,
  sending: NoticeSending,
  log: RequestLog,
): Promise<NoticeOutcome> {
  const organization = await getOrganization(sending.table, notice.organizationId);
  const to = parseEmailAddress(notice.to ?? organization?.noticeEmail ?? '');
  if (organization === undefined || !to.ok) return 'unaddressed';
  const refusal = refusalOf(notice, organization) ?? (await refusalOfPerson(notice, sending));
  if (refusal === 'unconfirmed' && notice.cause === 'identity_active') {
    // Before it had a domain, it couldn't send the confirmation.
    await requestConfirmationBeside(sending.table, organization, sending.now());
  }
  if (refusal !== undefined) return refusal;

  const keyring = await sending.keyring();
  const email: ServiceEmail = {
    to: to.value,
    subject: notice.subject,
    text: textOf(notice, organization, { baseUrl: sending.settings.baseUrl, keyring }),
    idempotencyKey: sendKeyOf(notice),
    // An organization that was paused doesn't mail strangers in the deployment's name.
    mayComeFromDeployment:
      mayComeFromDeployment(notice.cause) &&
      !(notice.cause === 'invitation' && organization.paused),
  };
  const admitted = await admitServiceEmail(organization.id, email, sending);
  const admission = await admitNotice(sending.table, notice, sending.now());
  if (admission === 'over_limit') return 'over_limit';
  try {
    const one = { endpoint: 'send', email: admitted, keyring, log } as const;
    const { response } = await sendNow(one, sending.now(), sending);
    return response.status === 'suppressed' ? 'suppressed' : 'sent';
  } catch (error) {
    // A notice of the same cause and day went out, with other figures or to another address.
    if (error instanceof ServiceError && error.code === 'idempotency_key_reused') return 'known';
    throw error;
  }
}

/** Why a notice isn't sent. An unconfirmed address gets only the confirmation email. */
function refusalOf(
  notice: Notice,
  organization: Organization,
): 'unconfirmed' | 'outdated' | undefined {
  if (notice.cause === 'confirmation') {
    return isStillPending(notice, organization) ? undefined : 'outdated';
  }
  // It was confirmed before it was replaced, or is a person's.
  if (notice.to !== undefined) return undefined;
  return organization.noticeEmailState === 'confirmed' ? undefined : 'unconfirmed';
}

/** They may have been removed since. */
async function refusalOfPerson(
  { cause, about }: Notice,
  { table, now }: NoticeSending,
): Promise<'outdated' | undefined> {
  if (!isToPerson(cause)) return undefined;
  const found = await getApiKey(table, apiKeyIdSchema.parse(about.split('-')[0]));
  return found !== undefined && maySignIn(found.apiKey, now()) ? undefined : 'outdated';
}

function textOf(
  notice: Notice,
  organization: Organization,
  links: { readonly baseUrl: string; readonly keyring: Keyring },
): string {
  if (notice.cause === 'confirmation') return confirmationText(notice, organization, links);
  return notice.cause === 'invitation'
    ? invitationText(notice, organization.name, links)
    : notice.text;
}

const postpone = (notice: Notice, { table, now }: NoticeSending): Promise<void> =>
  postponeNotice(table, notice, now() + delayAfter(notice));

/** At least `firstDelayMs`, which is longer than a run. */
const claim = (copy: Notice, { table, now }: NoticeSending): Promise<boolean> =>
  claimNotice(table, copy, now() + delayAfter(copy));

const delayAfter = ({ attempts }: Notice): number =>
  backoffCeiling(attempts + 1, firstDelayMs, longestDelayMs, 2);
