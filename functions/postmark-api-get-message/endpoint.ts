import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { exampleMessage, messageSchema, messageWords } from '#shared/postmark/message-view';
import { sendIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  errorForm: 'postmark',
  route: 'GET /postmark/messages/outbound/{id}/details',
  access: { key: 'required', scope: 'read_sends', orWithoutScopes: true, takesTestKeys: true },
  path: z.object({ id: sendIdSchema }),
  unmatchedPath: 'send_not_found',
  answers: {
    200: { body: messageSchema, description: 'The message.', example: exampleMessage },
  },
  errors: ['send_not_found'],
  lambda: { stack: 'Postmark', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Postmark',
    summary: 'Read a message, as with Postmark',
    description:
      'The same keys may read it as with `GET /api/v1/sends/{id}`. A request without a key is refused.',
    fields: messageWords,
    example: { path: { id: exampleIds.send } },
  },
});
