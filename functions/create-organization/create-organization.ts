import * as z from 'zod/mini';
import { apiKeyCreated, type NewApiKey, newManagerKey } from '#shared/access/api-key';
import {
  exampleFirstKey,
  newApiKeyViewSchema,
  toNewApiKeyView,
} from '#shared/access/api-key-fields';
import { newApiKeyItem } from '#shared/access/api-key-store';
import { defineEndpoint, type Operator, type RequestTo } from '#shared/endpoints/endpoint';
import { newOrganization } from '#shared/organizations/new-organization';
import type { Organization } from '#shared/organizations/organization';
import { attachmentsByDefault, organizationName } from '#shared/organizations/organization-fields';
import { exampleOrganization } from '#shared/organizations/organization-reference';
import { createOrganization as storeOrganization } from '#shared/organizations/organization-store';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import type { TableAndClock } from '#shared/table/table-client';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/organizations',
    access: 'operator',
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
    lambda: { stack: 'Organizations', tableActions: ['GetItem', 'PutItem'] },
    words: {
      section: 'Operator',
      summary: 'Create an organization',
      description:
        'Also creates its first API key, which may do everything. Only this answer shows the key, in `apiKey.key`.',
      fields: {
        organization: 'The organization.',
        apiKey: 'Its first API key.',
        'apiKey.name': 'The name of the key.',
      },
      example: { body: { name: 'Example Ltd' } },
    },
  },
  async (request, service) => {
    const { organization, firstKey } = await createOrganization(request, service);
    return { organization, apiKey: toNewApiKeyView(firstKey) };
  },
);

export async function createOrganization(
  {
    caller: { actor },
    body,
  }: Pick<RequestTo<typeof endpoint>, 'body'> & { readonly caller: Pick<Operator, 'actor'> },
  { table, now: readClock }: TableAndClock,
): Promise<{ readonly organization: Organization; readonly firstKey: NewApiKey }> {
  const now = readClock();
  const { organization, created } = newOrganization(body, actor, now);
  const firstKey = newManagerKey(organization.id, now);
  const entries = [created, apiKeyCreated(firstKey.apiKey, actor)];
  const alsoWritten = [newApiKeyItem(firstKey.apiKey)];
  const outcome = await storeOrganization(table, organization, entries, alsoWritten);
  if (outcome === 'refused') throw new Error('A new organization has the id of an existing one');
  return { organization, firstKey };
}
