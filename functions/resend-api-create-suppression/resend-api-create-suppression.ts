import { defineEndpoint } from '#shared/endpoints/endpoint';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressionId,
  resendSuppressionSchema,
  suppressionIdSchema,
  suppressionWords,
  toSuppressionId,
} from '#shared/resend/suppressions';
import {
  createSuppression,
  openSuppressionCreation,
} from '#shared/suppressions/create-suppression';
import { createsSuppressions } from '#shared/suppressions/suppression-rights';

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
    uses: openSuppressionCreation,
    lambda: { stack: 'Resend', ...createsSuppressions },
    words: {
      section: 'Resend',
      summary: 'Suppress an address, as with Resend',
      description: 'Does what `POST /api/v1/suppressions` does.',
      fields: suppressionWords,
      example: { body: { email: 'bob@example.com' } },
    },
  },
  async (request, creating) => toSuppressionId(await createSuppression(request, creating)),
);
