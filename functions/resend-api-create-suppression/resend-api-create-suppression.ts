import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressionId,
  resendSuppressionSchema,
  suppressionIdSchema,
  suppressionWords,
  toSuppressionId,
} from '#shared/resend/suppressions';
import { createSuppression } from '#shared/suppressions/create-suppression';
import { createsSuppressions } from '#shared/suppressions/suppression-rights';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'POST /resend/suppressions',
    body: resendSuppressionSchema,
    answers: {
      201: {
        body: suppressionIdSchema,
        description: 'The address is suppressed, now or already before.',
        example: exampleSuppressionId,
      },
    },
    errors: ['concurrent_change'],
    isLimited: true,
    uses: { wakeQueue: wakesWebhooks, sendRetentionDays: knowsRetention },
    lambda: { stack: 'Resend', ...createsSuppressions },
    words: {
      section: 'Resend',
      summary: 'Suppress an address, as with Resend',
      description: 'Does what `POST /api/v1/suppressions` does.',
      fields: suppressionWords,
      example: { body: { email: 'bob@example.com' } },
    },
  },
  async (request, service) => toSuppressionId(await createSuppression(request, service)),
);
