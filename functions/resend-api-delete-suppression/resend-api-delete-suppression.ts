import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deleted, deletedSchema, managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressionId,
  requireSuppressions,
  suppressionWords,
  toSuppressionId,
} from '#shared/resend/suppressions';
import { liftFromContact } from '#shared/suppressions/lift-from-contact';
import { openSuppressionLifting } from '#shared/suppressions/suppression-lifting';
import { liftsSuppressions } from '#shared/suppressions/suppression-rights';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'DELETE /resend/suppressions/{id}',
    path: z.object({ id: z.string() }),
    answers: {
      200: {
        body: deletedSchema('suppression'),
        description: 'The suppression is lifted.',
        example: { ...exampleSuppressionId, deleted: true },
      },
    },
    errors: ['suppression_not_found', 'concurrent_change', 'provider_throttled'],
    isLimited: true,
    uses: openSuppressionLifting,
    lambda: { stack: 'Resend', ...liftsSuppressions },
    words: {
      section: 'Resend',
      summary: 'Lift a suppression, as with Resend',
      description:
        'By ID it lifts that one; by address all of them, except the person’s own unsubscribe. The address is taken off SES’s own list first, as with `DELETE /api/v1/suppressions/{email}`.',
      fields: suppressionWords,
      example: { path: { id: 'bob@example.com' } },
    },
  },
  async ({ caller, path }, removing) => {
    const { named, ...found } = await requireSuppressions(path.id, caller.organizationId, removing);
    const reasons = named.map(({ reason }) => reason);
    await liftFromContact({ ...found, reasons }, caller, removing);
    return deleted('suppression', toSuppressionId(named[0]).id);
  },
);
