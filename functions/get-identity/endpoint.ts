import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIdentity, identityReference } from '#shared/identity/identity-reference';
import { looksAfterTenants } from '#shared/identity/identity-rights';
import { identityViewSchema } from '#shared/identity/identity-view';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/organization/identity',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      body: identityViewSchema,
      description: 'The identity, and what DNS has of its records.',
      example: exampleIdentity,
    },
  },
  errors: ['identity_not_found', 'provider_throttled'],
  lambda: {
    stack: 'Account',
    tableActions: [
      'GetItem',
      'BatchGetItem',
      'Query',
      'ConditionCheckItem',
      'PutItem',
      'UpdateItem',
    ],
    sesActions: [
      'GetEmailIdentity',
      'TagResource',
      'PutEmailIdentityFeedbackAttributes',
      'PutEmailIdentityMailFromAttributes',
      'GetAccount',
    ],
    tenantActions: looksAfterTenants,
    wakesWebhookQueue: true,
  },
  words: {
    section: 'Organization',
    summary: 'Read the From identity of the organization',
    description:
      'Asks DNS each time, and SES at most every 30 seconds. The service also checks by itself, less and less often, and webhooks get `identity.active`.',
    fields: identityReference.fields,
  },
});
