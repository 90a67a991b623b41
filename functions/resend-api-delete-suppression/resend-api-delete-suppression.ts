import * as z from 'zod/mini';
import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deleted, deletedSchema, managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressionId,
  requireSuppressions,
  suppressionWords,
  toSuppressionId,
} from '#shared/resend/suppressions';
import { liftFromContact } from '#shared/suppressions/lift-from-contact';
import { removesFromProviderList } from '#shared/suppressions/ses-suppression-list';
import { liftsSuppressions } from '#shared/suppressions/suppression-rights';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

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
    uses: {
      providerList: removesFromProviderList,
      wakeQueue: wakesWebhooks,
      sendRetentionDays: knowsRetention,
    },
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
  async ({ caller, path: { id } }, service) => {
    const { table } = service;
    const { named, ...found } = await requireSuppressions(table, id, caller.organizationId);
    const reasons = named.map(({ reason }) => reason);
    await liftFromContact({ ...found, reasons }, caller, service);
    return deleted('suppression', toSuppressionId(named[0]).id);
  },
);
