import * as z from 'zod/mini';
import { exampleFirstKey, newApiKeyViewSchema } from '#shared/access/api-key-fields';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { attachmentsByDefault, organizationName } from '#shared/organizations/organization-fields';
import { exampleOrganization } from '#shared/organizations/organization-reference';
import { organizationViewSchema } from '#shared/organizations/organization-view';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/organizations',
  access: 'operator_secret',
  body: z.strictObject({
    name: organizationName,
    attachmentsEnabled: z._default(z.boolean(), attachmentsByDefault),
  }),
  answers: {
    201: {
      body: z.object({
        organization: organizationViewSchema,
        apiKey: newApiKeyViewSchema,
      }),
      description: 'The organization, and its first key.',
      example: {
        organization: exampleOrganization,
        apiKey: exampleFirstKey,
      },
    },
  },
  lambda: { stack: 'Organizations', tableActions: ['PutItem'] },
  words: {
    section: 'Operator',
    summary: 'Create an organization',
    description:
      'Also creates its first API key, with every scope. Only this answer shows the key, in `apiKey.key`.',
    fields: {
      organization: 'The organization.',
      apiKey: 'Its first API key.',
      'apiKey.name': 'The name of the key.',
    },
    example: { body: { name: 'Example Ltd' } },
  },
});
