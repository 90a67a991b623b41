import * as z from 'zod/mini';
import { readApiKeyPage } from '#shared/access/api-key-store';
import { type AccountProblem, problemsOf, type SesAccount } from '#shared/domains/account-state';
import { asksSesAccount, type SesAccountReader } from '#shared/domains/ses-identities';
import { defineEndpoint, type Service } from '#shared/endpoints/endpoint';
import { identityStatuses } from '#shared/identity/identity';
import { domainReference, identityReference } from '#shared/identity/identity-reference';
import { getIdentity, listIdentities } from '#shared/identity/identity-store';
import { accountViewSchema, listDomains, listedDomainSchema } from '#shared/identity/identity-view';
import { limitsInForce } from '#shared/organizations/limits-in-force';
import { tenantStateSchema } from '#shared/organizations/organization';
import { readSends } from '#shared/send-history/send-list-store';
import { type Send, stateAt } from '#shared/sending/send';
import { dayMs } from '#shared/timing/day';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { defaultPeriodDays } from '#shared/usage/day';
import { readMilestones } from '#shared/usage/usage-store';
import { healthViewSchema, toHealthView } from '#shared/webhooks/health-view';
import { isSlow } from '#shared/webhooks/slow-answers';
import { webhookSchema } from '#shared/webhooks/webhook';
import { exampleHealthOfDisabled } from '#shared/webhooks/webhook-reference';
import { listWebhooks } from '#shared/webhooks/webhook-store';
import { isKeyOfProgram, setupOf, setupStepNames } from './setup.ts';

/** Sends and keys that one request looks at: the most that one BatchGetItem takes. */
const maxLooked = 100;

const { account, region, hasProductionAccess, isSendingEnabled, enforcementStatus, wayOut } =
  identityReference.fields;

const { 'problems.code': code, 'problems.message': message, problems } = identityReference.fields;

export type OverviewReading = Service & {
  readonly ses: SesAccountReader;
};

type Account = SesAccount & { readonly problems: AccountProblem[] };

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/overview',
    access: { key: 'required', scope: ['usage_read', 'manage_organization'] },
    answers: {
      200: {
        body: z.object({
          organization: z.object({
            paused: z.boolean(),
            tenant: z.nullable(tenantStateSchema),
            dailyLimit: z.nullable(
              z.object({ recipients: z.int(), setBy: z.enum(['operator', 'ses']) }),
            ),
          }),
          identity: z.nullable(
            z.object({
              domain: z.string(),
              status: z.enum(identityStatuses),
              reason: z.optional(z.string()),
            }),
          ),
          domains: z.array(listedDomainSchema),
          account: z.nullable(accountViewSchema),
          setup: z.object({
            isFinished: z.boolean(),
            steps: z.array(
              z.object({
                name: z.enum(setupStepNames),
                isDone: z.nullable(z.boolean()),
                isOptional: z.boolean(),
              }),
            ),
          }),
          sends: z.object({ since: z.int(), looked: z.int(), inDoubt: z.int(), failed: z.int() }),
          webhooks: z.array(
            z.object({
              id: webhookIdSchema,
              url: z.string(),
              health: healthViewSchema,
              disabled: webhookSchema.shape.disabled,
              pausedAt: webhookSchema.shape.pausedAt,
              isSlow: z.boolean(),
            }),
          ),
        }),
        description: 'The overview.',
        example: {
          organization: {
            paused: false,
            tenant: null,
            dailyLimit: { recipients: 50_000, setBy: 'ses' },
          },
          identity: { domain: 'news.example.com', status: 'active' },
          domains: [
            {
              domain: 'news.example.com',
              isDefault: true,
              fromEmail: 'hello@news.example.com',
              status: 'active',
              createdAt: exampleTime,
              canSend: true,
            },
          ],
          account: {
            region: 'eu-west-1',
            hasProductionAccess: true,
            isSendingEnabled: true,
            enforcementStatus: 'HEALTHY',
            problems: [],
          },
          setup: {
            isFinished: false,
            steps: [
              { name: 'identity', isDone: true, isOptional: false },
              { name: 'dns', isDone: true, isOptional: false },
              { name: 'production_access', isDone: true, isOptional: false },
              { name: 'key', isDone: false, isOptional: false },
              { name: 'first_sent', isDone: false, isOptional: false },
              { name: 'first_delivered', isDone: false, isOptional: false },
              { name: 'webhook', isDone: true, isOptional: true },
            ],
          },
          sends: { since: exampleTime, looked: 0, inDoubt: 0, failed: 0 },
          webhooks: [
            {
              id: exampleIds.webhook,
              url: 'https://example.com/hooks/email',
              health: exampleHealthOfDisabled,
              disabled: { reason: 'gone', at: exampleTime },
              isSlow: false,
            },
          ],
        },
      },
    },
    uses: { ses: asksSesAccount },
    lambda: {
      stack: 'Console',
      tableActions: ['GetItem', 'BatchGetItem', 'Query'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Usage',
      summary: 'Show what is wrong and what is left to set up',
      description: `What stops the organization from sending, what failed in the last day, which webhook endpoints are in trouble, and how far setup has come. \`GET /api/v1/usage?by=day\` has the figures of the last ${defaultPeriodDays} days.`,
      fields: {
        organization: 'Whether the organization may send.',
        'organization.paused': 'Whether the operator has paused it.',
        dailyLimit:
          'To how many recipients it may send in a day, by the operator’s limit or SES’s quota of the account, whichever is lower. `null` if neither is known.',
        recipients: 'How many.',
        setBy:
          '`operator`: its own, in a UTC day. `ses`: all organizations share it, in any 24 hours.',
        'organization.tenant': 'Its state as an SES tenant; `null` if it isn’t one.',
        identity: 'Its default domain; `null` if it hasn’t set one.',
        domains: 'All of its domains, the default first.',
        ...domainReference.listed,
        'identity.reason': 'Why it failed, beginning with AWS’s own name for the failure.',
        account: `${account} \`null\` if SES did not answer.`,
        region,
        hasProductionAccess,
        isSendingEnabled,
        enforcementStatus,
        problems,
        'problems.code': code,
        'problems.message': message,
        wayOut,
        setup: 'Onboarding up to the first delivered email.',
        isFinished: 'Whether an email was ever delivered.',
        steps: 'The steps, in order.',
        'steps.name':
          '`identity`: a default domain is set. `dns`: its domain is verified. `production_access`: the account is out of the SES sandbox. `key`: there is a key that can send but can’t manage the organization. `first_sent`, `first_delivered`: at least one email was. `webhook`: an endpoint is registered.',
        isDone: '`null` if SES didn’t answer.',
        isOptional: 'Whether email is delivered without this step.',
        sends: `The sends of the last day, at most the latest ${maxLooked}.`,
        since:
          'The figures cover every send created since then, in epoch milliseconds. A send of the last seconds may be missing.',
        looked: 'How many sends that is.',
        inDoubt:
          'How many of them are `sending` although their request is over: the service is still finding out whether SES accepted the email.',
        failed: 'How many of them are `failed`.',
        webhooks: 'The webhook endpoints, oldest first.',
        url: 'Where deliveries are posted.',
        disabled: 'Why, and since when in epoch milliseconds; absent while enabled.',
        pausedAt: 'Since when its deliveries are paused; absent while they aren’t.',
        isSlow: 'Whether it answers so slowly that for now only the scheduled run posts to it.',
      },
    },
  },
  async ({ caller: { organizationId } }, reading: OverviewReading) => {
    const now = reading.now();
    const [{ identity, organization }, domains, account, { apiKeys }, milestones, sends, webhooks] =
      await Promise.all([
        getIdentity(reading.table, organizationId),
        listIdentities(reading.table, organizationId),
        askAccount(reading),
        readApiKeyPage(reading.table, organizationId, { before: undefined, limit: maxLooked }, now),
        readMilestones(reading.table, organizationId),
        readSends(
          reading.table,
          organizationId,
          { since: now - dayMs, limit: maxLooked },
          reading.now,
        ),
        listWebhooks(reading.table, organizationId),
      ]);
    const wanted = identity?.wanted;
    const states = sends.found.map((send) => stateAt(send, now).status);
    return {
      organization: {
        paused: organization?.paused ?? false,
        tenant: organization?.tenant ?? null,
        dailyLimit: dailyLimitOf(
          limitsInForce(organization?.limits, reading.limitsOfDeployment)('recipientsPerDay'),
          account?.dailyQuota,
        ),
      },
      identity: wanted ?? null,
      domains: listDomains(domains, organization),
      account: account ? toAccountView(account) : null,
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
        ...(webhook.pausedAt !== undefined && { pausedAt: webhook.pausedAt }),
        isSlow: isSlow(webhook, now),
      })),
    };
  },
);

const toAccountView = ({ dailyQuota: _quota, ...account }: Account) => account;

function dailyLimitOf(own: number | undefined, quota: number | undefined) {
  if (own !== undefined && own <= (quota ?? own)) {
    return { recipients: own, setBy: 'operator' as const };
  }
  return quota === undefined ? null : { recipients: quota, setBy: 'ses' as const };
}

/**
 * No request takes longer (HTTP API quotas, "Maximum integration timeout"), so a send still under way after that is in
 * doubt.
 */
const longestRequestMs = 30_000;

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
