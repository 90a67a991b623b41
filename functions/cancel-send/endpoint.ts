import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { sendResponseSchema } from '#shared/sending/send';
import { sendIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/sends/{id}/cancel',
  access: { key: 'required', scope: 'send_email', takesTestKeys: true },
  path: z.object({ id: sendIdSchema }),
  unmatchedPath: 'send_not_found',
  answers: {
    200: {
      body: sendResponseSchema,
      description: 'No email of this send goes out.',
      example: { sendId: exampleIds.send, status: 'canceled' },
    },
  },
  errors: ['send_not_found', 'send_not_waiting', 'concurrent_change'],
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'UpdateItem'],
    writesAudit: true,
    contents: { waiting: ['Delete'] },
    wakesSendQueue: true,
  },
  words: {
    section: 'Sends',
    summary: 'Cancel a scheduled or queued send',
    description:
      'Once this is answered, the email will not go out, and its content is deleted. Repeating the request is safe. A request with the idempotency key of the send is answered `canceled` from then on.',
    example: { path: { id: exampleIds.send } },
  },
});
