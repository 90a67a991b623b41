import type { ApiKeyStore } from '#shared/access/api-key-store';
import { type AccountProblem, problemsOf, type SesAccount } from '#shared/domains/account-state';
import type { SesAccountReader } from '#shared/domains/ses-identities';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { IdentityStore } from '#shared/identity/identity-store';
import { listDomains } from '#shared/identity/identity-view';
import { type Send, stateAt } from '#shared/sending/send';
import { readSends, type SendListStore } from '#shared/sends/send-list-store';
import { dayMs } from '#shared/timing/day';
import type { UsageStore } from '#shared/usage/usage-store';
import { toHealthView } from '#shared/webhooks/health-view';
import { isSlow } from '#shared/webhooks/slow-answers';
import type { WebhookStore } from '#shared/webhooks/webhook-store';
import { type endpoint, mostLooked } from './endpoint.ts';
import { isKeyOfProgram, setupOf } from './setup.ts';

export type OverviewReading = {
  readonly now: () => number;
  readonly apiKeys: Pick<ApiKeyStore, 'readPage'>;
  readonly identities: Pick<IdentityStore, 'read' | 'readAll'>;
  readonly ses: SesAccountReader;
  readonly usage: Pick<UsageStore, 'readMilestones'>;
  readonly sends: SendListStore;
  readonly webhooks: Pick<WebhookStore, 'list'>;
};

/**
 * No request takes longer (HTTP API quotas, "Maximum integration timeout"), so a send still under way after that is in
 * doubt.
 */
const longestRequestMs = 30_000;

export async function getOverview(
  { caller: { organizationId } }: RequestTo<typeof endpoint>,
  reading: OverviewReading,
) {
  const now = reading.now();
  const [{ identity, organization }, domains, account, { apiKeys }, milestones, sends, webhooks] =
    await Promise.all([
      reading.identities.read(organizationId),
      reading.identities.readAll(organizationId),
      askAccount(reading),
      reading.apiKeys.readPage(organizationId, { before: undefined, limit: mostLooked }, now),
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
    domains: listDomains(domains, organization),
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

/** SES allows about one such call a second. If it refuses, the overview does without the account. */
async function askAccount({ ses }: OverviewReading): Promise<Account | undefined> {
  try {
    const account = await ses.getAccount();
    return { ...account, problems: problemsOf(account) };
  } catch {
    return undefined;
  }
}

/** The send's request is over, and it isn't known whether SES took the email. */
const isLeftUnanswered = (send: Send, now: number): boolean =>
  stateAt(send, now).status === 'sending' && now - send.claimedAt >= longestRequestMs;

const oldestOf = (sends: readonly Send[], now: number): number =>
  Math.min(now, ...sends.map(({ createdAt }) => createdAt));
