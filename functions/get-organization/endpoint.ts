import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { organizationPath } from '#shared/endpoints/resource-paths';
import { limitsViewSchema, useViewSchema } from '#shared/organizations/limits-view';
import {
  exampleLimits,
  exampleOrganization,
  exampleUse,
  limitFields,
} from '#shared/organizations/organization-reference';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/organizations/{id}',
  access: 'operator_secret',
  ...organizationPath,
  answers: {
    200: {
      body: z.extend(organizationViewSchema, {
        limits: limitsViewSchema,
        use: useViewSchema,
      }),
      description: 'The organization.',
      example: { ...exampleOrganization, limits: exampleLimits, use: exampleUse },
    },
  },
  lambda: { stack: 'Organizations', tableActions: ['GetItem', 'Query'], queriesIndexes: ['gsi2'] },
  words: {
    section: 'Operator',
    summary: 'Read an organization',
    description:
      'With its limits and what it uses of them. Today’s recipients lag by about a minute.',
    fields: limitFields,
    example: { path: { id: exampleIds.organization } },
  },
});
