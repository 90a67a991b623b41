import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainReference } from '#shared/identity/identity-reference';
import { getIdentity, listIdentities } from '#shared/identity/identity-store';
import { listDomains, listedDomainSchema } from '#shared/identity/identity-view';
import { pageSchema } from '#shared/table/list-position';
import { exampleTime } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/domains',
    access: { key: 'required', scope: ['domains_read', 'manage_organization'] },
    answers: {
      200: {
        body: pageSchema(listedDomainSchema),
        description: 'The domains.',
        example: {
          data: [
            {
              domain: 'news.example.com',
              isDefault: true,
              fromEmail: 'hello@news.example.com',
              status: 'active',
              createdAt: exampleTime,
              canSend: true,
            },
            {
              domain: 'billing.example.com',
              isDefault: false,
              fromEmail: 'hello@billing.example.com',
              status: 'pending',
              createdAt: exampleTime,
              canSend: false,
            },
          ],
          nextCursor: null,
        },
      },
    },
    lambda: { stack: 'Domains', tableActions: ['GetItem', 'BatchGetItem', 'Query'] },
    words: {
      section: 'Organization',
      summary: 'List the domains of the organization',
      description:
        'All of them on one page, the default first, each as the last check found it. Read one for its DNS records.',
      fields: domainReference.listed,
    },
  },
  async ({ caller: { organizationId } }, { table }) => {
    const [{ organization }, all] = await Promise.all([
      getIdentity(table, organizationId),
      listIdentities(table, organizationId),
    ]);
    return { data: listDomains(all, organization), nextCursor: null };
  },
);
