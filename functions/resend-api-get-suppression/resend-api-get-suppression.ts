import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleResendSuppression,
  requireSuppressions,
  suppressionSchema,
  suppressionWords,
  toListedSuppression,
} from '#shared/resend/suppressions';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'GET /resend/suppressions/{id}',
    path: z.object({ id: z.string() }),
    answers: {
      200: {
        body: suppressionSchema,
        description: 'The suppression.',
        example: exampleResendSuppression,
      },
    },
    errors: ['suppression_not_found'],
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'BatchGetItem'] },
    words: {
      section: 'Resend',
      summary: 'Read a suppression, as with Resend',
      description:
        'By its ID or by the address. If an address has several, this is the bounce, else the complaint.',
      fields: suppressionWords,
      example: { path: { id: 'bob@example.com' } },
    },
  },
  async ({ caller, path }, { table }) => {
    const { named } = await requireSuppressions(table, path.id, caller.organizationId);
    return { object: 'suppression' as const, ...toListedSuppression(named[0]) };
  },
);
