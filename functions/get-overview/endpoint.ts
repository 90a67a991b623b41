import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { identityStatuses } from '#shared/identity/identity';
import { identityReference } from '#shared/identity/identity-reference';
import { accountViewSchema } from '#shared/identity/identity-view';
import { tenantStateSchema } from '#shared/organizations/organization';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { healthViewSchema } from '#shared/webhooks/health-view';
import { webhookSchema } from '#shared/webhooks/webhook';
import { exampleHealthOfDisabled } from '#shared/webhooks/webhook-reference';
import { setupStepNames } from './setup.ts';

const { account, region, hasProductionAccess, isSendingEnabled, enforcementStatus, wayOut } =
  identityReference.fields;

const { 'problems.code': code, 'problems.message': message, problems } = identityReference.fields;

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/overview',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      body: z.object({
        organization: z.object({
          paused: z.boolean(),
          /** Of the organization as a tenant of SES, where it is one. */
          tenant: z.nullable(tenantStateSchema),
        }),
        identity: z.nullable(
          z.object({
            domain: z.string(),
            status: z.enum(identityStatuses),
            reason: z.optional(z.string()),
          }),
        ),
        /** `null` when SES could not be asked. */
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
        /** Of the sends since this moment: a day ago, or later when one request cannot look at as many. */
        sends: z.object({ since: z.int(), looked: z.int(), inDoubt: z.int(), failed: z.int() }),
        webhooks: z.array(
          z.object({
            id: webhookIdSchema,
            url: z.string(),
            health: healthViewSchema,
            disabled: webhookSchema.shape.disabled,
            isSlow: z.boolean(),
          }),
        ),
      }),
      description: 'What is known.',
      example: {
        organization: { paused: false, tenant: null },
        identity: { domain: 'news.example.com', status: 'active' },
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
  lambda: {
    stack: 'Console',
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi2'],
    sesActions: ['GetAccount'],
  },
  words: {
    section: 'Usage',
    summary: 'Tell what is wrong, and what is left to set up',
    description:
      'What keeps the organization from sending, what of the last day failed, which webhook endpoints are in trouble, and how far the set-up is. The figures of 30 days are in `GET /api/v1/usage?by=day`.',
    fields: {
      organization: 'Whether the organization may send.',
      'organization.paused': 'Whether the operator has paused it.',
      'organization.tenant': 'Its state as a tenant of SES; `null` where it is none.',
      identity: 'The From identity that it has set; `null` if none.',
      domain: 'Its domain.',
      'identity.status': '`pending`, `active` or `failed`, as it was found last.',
      'identity.reason': 'Why it failed. It begins with AWS’s own name for it.',
      account: `${account} \`null\` when SES could not be asked.`,
      region,
      hasProductionAccess,
      isSendingEnabled,
      enforcementStatus,
      problems,
      'problems.code': code,
      'problems.message': message,
      wayOut,
      setup: 'The way to the first delivered email.',
      isFinished: 'Whether an email was ever delivered.',
      steps: 'In the order in which one goes them.',
      'steps.name':
        '`identity`: one is set. `dns`: its domain is verified. `production_access`: the account is out of SES’s sandbox. `key`: a key sends, and may not manage the organization. `first_sent`, `first_delivered`: of all time. `webhook`: an endpoint is registered.',
      isDone: '`null`: nobody knows, as SES could not be asked.',
      isOptional: 'Whether email is delivered without it.',
      sends: 'The sends of the last day, at most the latest 100 of them.',
      since:
        'Every send that was created from this moment on was looked at, in epoch milliseconds. A send of the last seconds may be missing.',
      looked: 'How many that are.',
      inDoubt:
        'How many of them have the status `sending`, while the request that made them is over: it is being found out whether SES took the email.',
      failed: 'How many of them have the status `failed`.',
      webhooks: 'The webhook endpoints, oldest first.',
      url: 'Where the endpoint listens.',
      disabled: 'Why, and since when in epoch milliseconds; absent while it is enabled.',
      isSlow: 'Whether its answers are so slow that only the scheduled run reaches it for now.',
    },
  },
});
