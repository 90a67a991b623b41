import * as z from 'zod/mini';
import {
  domainClaimReference,
  domainClaimViewSchema,
  exampleDomainClaim,
} from '#shared/domains/domain-claim-view';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { claimPositionSchema, readDomainClaimPage } from '#shared/identity/domain-claim-store';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/domain-claims',
    access: 'operator',
    query: z.strictObject(pageQueryFields),
    answers: {
      200: {
        body: pageSchema(domainClaimViewSchema),
        description: 'A page of claims.',
        example: { data: [exampleDomainClaim], nextCursor: null },
      },
    },
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Operator',
      summary: 'List the claims to domains',
      description: 'Newest first. Several organizations may claim a domain; at most one owns it.',
      fields: domainClaimReference.fields,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller: owner, query: { limit, cursor } }, { table, now }) => {
    const scope = { list: 'domain-claims', owner };
    const before = unsealCursor(cursor, claimPositionSchema, scope);
    const { claims, next } = await readDomainClaimPage(table, { before, limit }, now());
    return { data: claims, nextCursor: sealCursor(next, scope) };
  },
);
