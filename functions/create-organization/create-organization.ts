import * as z from 'zod/mini';
import { apiKeyCreated, type NewApiKey, newManagerKey } from '#shared/access/api-key';
import {
  exampleFirstKey,
  newApiKeyViewSchema,
  toNewApiKeyView,
} from '#shared/access/api-key-fields';
import {
  newOrganization,
  type OrganizationManagement,
  openOrganizationManagement,
} from '#shared/access/organization-management';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import type { Organization } from '#shared/organizations/organization';
import { attachmentsByDefault, organizationName } from '#shared/organizations/organization-fields';
import { exampleOrganization } from '#shared/organizations/organization-reference';
import { organizationViewSchema } from '#shared/organizations/organization-view';

export const endpoint = defineEndpoint(
  {
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
    uses: openOrganizationManagement,
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
  },
  async (request, management) => {
    const { organization, firstKey } = await createOrganization(request, management);
    return { organization, apiKey: toNewApiKeyView(firstKey) };
  },
);

export async function createOrganization(
  { body }: Pick<RequestTo<typeof endpoint>, 'body'>,
  { now: readClock, organizations }: OrganizationManagement,
): Promise<{ readonly organization: Organization; readonly firstKey: NewApiKey }> {
  const now = readClock();
  const { organization, created } = newOrganization(body, now);
  const firstKey = newManagerKey(organization.id, now);
  await organizations.create(organization, firstKey.apiKey, [
    created,
    apiKeyCreated(firstKey.apiKey, 'operator'),
  ]);
  return { organization, firstKey };
}
