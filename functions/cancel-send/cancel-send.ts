import { defineEndpoint } from '#shared/endpoints/endpoint';
import { cancelSend } from '#shared/sending/later/change-plan';
import { cancelDeclaration, usedToCancel } from '#shared/sending/later/plan-declaration';
import { sendResponseSchema } from '#shared/sending/send';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    ...cancelDeclaration,
    route: 'POST /api/v1/sends/{id}/cancel',
    answers: {
      200: {
        body: sendResponseSchema,
        description: 'No email of this send goes out.',
        example: { sendId: exampleIds.send, status: 'canceled' },
      },
    },
    uses: usedToCancel,
    words: {
      section: 'Sends',
      summary: 'Cancel a scheduled or queued send',
      description:
        'After a 200, the email won’t go out, and its content is deleted. Safe to repeat. From then on, requests with the send’s idempotency key get `canceled`.',
      example: { path: { id: exampleIds.send } },
    },
  },
  ({ caller, path: { id }, log }, canceling) => cancelSend({ id, caller }, canceling, log),
);
