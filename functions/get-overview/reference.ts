import { identityReference } from '#shared/identity/identity-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { exampleHealthOfDisabled } from '#shared/webhooks/webhook-reference';

const { account, region, hasProductionAccess, isSendingEnabled, enforcementStatus, wayOut } =
  identityReference.fields;
const { 'problems.code': code, 'problems.message': message, problems } = identityReference.fields;

export const reference = {
  section: 'Usage',
  summary: 'Tell what is wrong, and what is left to set up',
  description:
    'What keeps the organization from sending, what of the last day failed, which webhook endpoints are in trouble, and how far the set-up is. The figures of 30 days are in `GET /api/v1/usage?by=day`.',
  access: { key: 'required', scope: 'manage_organization' },
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
  answers: {
    200: {
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
} as const satisfies EndpointReference;
