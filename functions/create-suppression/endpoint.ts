import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { oneEmailAddress } from '#shared/sending/send-fields';
import {
  exampleSuppression,
  possibleComplaint,
  suppressedAt,
  suppressionReason,
} from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/suppressions',
  access: { key: 'required', scope: 'manage_organization' },
  body: z.strictObject({
    email: oneEmailAddress,
    /** Why, in the words of who asks for it. */
    diagnostic: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(1_000))),
  }),
  answers: {
    201: {
      body: suppressionViewSchema,
      description: 'The address is suppressed, now or since earlier.',
      example: { ...exampleSuppression, reason: 'manual', diagnostic: 'asked by phone' },
    },
  },
  errors: ['concurrent_change'],
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
  },
  words: {
    section: 'Suppressions',
    summary: 'Suppress an address by hand',
    description:
      'From the next request on, the address gets no email. Repeating it changes nothing: the first cause stays.',
    fields: {
      email: 'The bare address.',
      contactId: 'The contact.',
      reason: suppressionReason,
      at: suppressedAt,
      diagnostic: 'Why, in your words.',
      possible: possibleComplaint,
    },
    example: { body: { email: 'bob@example.com', diagnostic: 'asked by phone' } },
  },
});
