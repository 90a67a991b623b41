import type { ApiKeyStore } from '#shared/access/api-key-store';
import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { type AccountProblem, problemsOf, type SesAccount } from '#shared/domains/account-state';
import type { SesAccountReader } from '#shared/domains/ses-identities';
import type { IdentityStore } from '#shared/identity/identity-store';
import { type Send, stateAt } from '#shared/sending/send';
import { readSends } from '#shared/sends/send-list';
import type { SendListStore } from '#shared/sends/send-list-store';
import type { UsageStore } from '#shared/usage/usage-store';
import { toHealthView } from '#shared/webhooks/health-view';
import { isSlow } from '#shared/webhooks/slow-answers';
import type { WebhookStore } from '#shared/webhooks/webhook-store';
import { isKeyOfProgram, setupOf } from './setup.ts';

export type OverviewReading = Authentication & {
  readonly identities: Pick<IdentityStore, 'read'>;
  readonly ses: SesAccountReader;
  readonly keys: Pick<ApiKeyStore, 'readPage'>;
  readonly usage: Pick<UsageStore, 'readMilestones'>;
  readonly sends: SendListStore;
  readonly webhooks: Pick<WebhookStore, 'list'>;
};

/** So many sends and keys are looked at: as many as one BatchGetItem takes. */
const mostLooked = 100;
const dayMs = 86_400_000;
/** No request waits longer (HTTP API quotas, "Maximum integration timeout"): what is under way later is in doubt. */
const longestRequestMs = 30_000;

/**
 * Tells what is wrong with an organization, and what it has left to set up.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function getOverview(credential: string | undefined, reading: OverviewReading) {
  const { organizationId } = await authenticateManager(credential, reading);
  const now = reading.now();
  const [{ identity, organization }, account, { apiKeys }, milestones, sends, webhooks] =
    await Promise.all([
      reading.identities.read(organizationId),
      askAccount(reading),
      reading.keys.readPage(organizationId, { before: undefined, limit: mostLooked }, now),
      reading.usage.readMilestones(organizationId),
      readSends(organizationId, { since: now - dayMs, limit: mostLooked }, reading),
      reading.webhooks.list(organizationId),
    ]);
  const wanted = identity?.wanted;
  const states = sends.found.map((send) => stateAt(send, now).status);
  return {
    organization: {
      paused: organization?.paused ?? false,
      tenant: organization?.tenant ?? null,
    },
    identity: wanted ?? null,
    account: account ?? null,
    setup: setupOf({
      identity: wanted?.status,
      isSendingVerified: organization?.identity?.status === 'active',
      hasProductionAccess: account?.hasProductionAccess,
      hasKey: apiKeys.some((apiKey) => isKeyOfProgram(apiKey, now)),
      hasSent: milestones.hasSent || states.includes('sent'),
      hasDelivered: milestones.hasDelivered,
      hasWebhook: webhooks.length > 0,
    }),
    sends: {
      since: sends.next === undefined ? now - dayMs : oldestOf(sends.found, now),
      looked: sends.found.length,
      inDoubt: sends.found.filter((send) => isLeftUnanswered(send, now)).length,
      failed: states.filter((status) => status === 'failed').length,
    },
    webhooks: webhooks.map((webhook) => ({
      id: webhook.id,
      url: webhook.url,
      health: toHealthView(webhook, now),
      disabled: webhook.disabled,
      isSlow: isSlow(webhook, now),
    })),
  };
}

type Account = SesAccount & { readonly problems: AccountProblem[] };

/** Of an answer that helps, one part may be missing: SES limits such calls to about one a second. */
async function askAccount({ ses }: OverviewReading): Promise<Account | undefined> {
  try {
    const account = await ses.getAccount();
    return { ...account, problems: problemsOf(account) };
  } catch {
    return undefined;
  }
}

/** Whether the request that made the send is gone, and nobody knows yet whether SES took the email. */
const isLeftUnanswered = (send: Send, now: number): boolean =>
  stateAt(send, now).status === 'sending' && now - send.claimedAt >= longestRequestMs;

const oldestOf = (sends: readonly Send[], now: number): number =>
  Math.min(now, ...sends.map(({ createdAt }) => createdAt));
