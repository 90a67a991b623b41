import * as z from 'zod/mini';
import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { oneEmailAddress } from '#shared/sending/request/send-fields';
import { createSuppression } from '#shared/suppressions/create-suppression';
import {
  exampleSuppression,
  possibleComplaint,
  suppressedAt,
  suppressionReason,
} from '#shared/suppressions/suppression-reference';
import { createsSuppressions } from '#shared/suppressions/suppression-rights';
import { suppressionViewSchema, toSuppressionView } from '#shared/suppressions/suppression-view';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/suppressions',
    access: { key: 'required', scope: ['suppressions_manage', 'manage_organization'] },
    body: z.strictObject({
      email: oneEmailAddress,
      diagnostic: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(1_000))),
    }),
    answers: {
      201: {
        body: suppressionViewSchema,
        description: 'The address is suppressed, now or already before.',
        example: { ...exampleSuppression, reason: 'manual', diagnostic: 'asked by phone' },
      },
    },
    errors: ['concurrent_change'],
    isLimited: true,
    uses: { wakeQueue: wakesWebhooks, sendRetentionDays: knowsRetention },
    lambda: { stack: 'Recipients', ...createsSuppressions },
    words: {
      section: 'Suppressions',
      summary: 'Suppress an address by hand',
      description:
        'From the next request on, the address gets no email. Repeating the call changes nothing: the first suppression stays.',
      fields: {
        email: 'The bare address.',
        contactId: 'The contact with this address.',
        reason: suppressionReason,
        at: suppressedAt,
        diagnostic: 'Why, in your own words.',
        possible: possibleComplaint,
      },
      example: { body: { email: 'bob@example.com', diagnostic: 'asked by phone' } },
    },
  },
  async (request, service) => toSuppressionView(await createSuppression(request, service)),
);
