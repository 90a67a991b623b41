import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deletedSchema, managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressionId,
  resendRemovalsSchema,
  suppressionWords,
} from '#shared/resend/suppressions';
import { liftsSuppressions } from '#shared/suppressions/suppression-rights';

export const endpoint = defineEndpoint({
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
  lambda: { stack: 'Resend', ...liftsSuppressions },
  words: {
    section: 'Resend',
    summary: 'Lift several suppressions, as with Resend',
    description:
      'By `emails` or by `ids`, one after the other. SES allows about one look at its own list a second: after 429 repeat the request, and it goes on where it ended. Each counts as a change of the day.',
    fields: suppressionWords,
    example: { body: { emails: ['bob@example.com'] } },
  },
});
