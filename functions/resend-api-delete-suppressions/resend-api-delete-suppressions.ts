import * as z from 'zod/mini';
import { limitChanges } from '#shared/access/limit-day';
import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deleted, deletedSchema, managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressionId,
  findSuppressions,
  namesIn,
  resendRemovalsSchema,
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
    route: 'POST /resend/suppressions/batch/remove',
    body: resendRemovalsSchema,
    answers: {
      200: {
        body: z.object({ data: z.array(deletedSchema('suppression')) }),
        description: 'The suppressions are lifted. What wasn’t suppressed is left out.',
        example: { data: [{ ...exampleSuppressionId, deleted: true }] },
      },
    },
    errors: ['concurrent_change', 'provider_throttled'],
    isLimited: true,
    uses: {
      providerList: removesFromProviderList,
      wakeQueue: wakesWebhooks,
      sendRetentionDays: knowsRetention,
    },
    lambda: { stack: 'Resend', ...liftsSuppressions },
    words: {
      section: 'Resend',
      summary: 'Lift several suppressions, as with Resend',
      description:
        'By `emails` or by `ids`, one after the other. SES allows about one call to its own list a second: after a 429, repeat the request, and it continues where it stopped. Each counts towards the daily changes.',
      fields: suppressionWords,
      example: { body: { emails: ['bob@example.com'] } },
    },
  },
  async ({ caller, body }, service) => {
    const data = [];
    for (const name of namesIn(body)) {
      const found = await findSuppressions(service.table, name, caller.organizationId);
      if (found === undefined) continue;
      // The request itself counted the first.
      if (data.length > 0) await limitChanges(caller, service.now(), service);
      const { named, ...contact } = found;
      const reasons = named.map(({ reason }) => reason);
      await liftFromContact({ ...contact, reasons }, caller, service);
      data.push(deleted('suppression', toSuppressionId(named[0]).id));
    }
    return { data };
  },
);
