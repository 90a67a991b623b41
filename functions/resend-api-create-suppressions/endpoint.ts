import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressionId,
  resendSuppressionsSchema,
  suppressionIdSchema,
  suppressionWords,
} from '#shared/resend/suppressions';
import { createsSuppressions } from '#shared/suppressions/suppression-rights';

export const endpoint = defineEndpoint({
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
  lambda: { stack: 'Resend', ...createsSuppressions },
  words: {
    section: 'Resend',
    summary: 'Suppress several addresses, as with Resend',
    description:
      'One after the other. If the request ends before the last, repeat it: those that are suppressed stay so. Each counts as a change of the day.',
    fields: suppressionWords,
    example: { body: { emails: ['bob@example.com'] } },
  },
});
