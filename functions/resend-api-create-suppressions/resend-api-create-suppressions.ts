import * as z from 'zod/mini';
import { limitChanges } from '#shared/access/limit-day';
import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressionId,
  resendSuppressionsSchema,
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
    route: 'POST /resend/suppressions/batch/add',
    body: resendSuppressionsSchema,
    answers: {
      201: {
        body: z.object({ data: z.array(suppressionIdSchema) }),
        description: 'The addresses are suppressed.',
        example: { data: [exampleSuppressionId] },
      },
    },
    errors: ['concurrent_change'],
    isLimited: true,
    uses: { wakeQueue: wakesWebhooks, sendRetentionDays: knowsRetention },
    lambda: { stack: 'Resend', ...createsSuppressions },
    words: {
      section: 'Resend',
      summary: 'Suppress several addresses, as with Resend',
      description:
        'One after the other. If the request ends early, repeat it: those already suppressed stay so. Each counts towards the daily changes.',
      fields: suppressionWords,
      example: { body: { emails: ['bob@example.com'] } },
    },
  },
  async ({ caller, body: { emails } }, service) => {
    const data = [];
    for (const [place, email] of emails.entries()) {
      // The request itself counted the first.
      if (place > 0) await limitChanges(caller, service.now(), service);
      data.push(toSuppressionId(await createSuppression({ caller, body: { email } }, service)));
    }
    return { data };
  },
);
