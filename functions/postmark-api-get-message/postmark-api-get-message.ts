import { missingApiKey } from '#shared/access/api-key';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sendPath } from '#shared/endpoints/resource-paths';
import {
  exampleMessage,
  messageSchema,
  messageWords,
  toMessage,
} from '#shared/postmark/message-view';
import { readingScopes, readTimeline } from '#shared/send-history/admit-timeline-reader';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    errorForm: 'postmark',
    route: 'GET /postmark/messages/outbound/{id}/details',
    access: { key: 'required', scope: readingScopes, orWithoutScopes: true, takesTestKeys: true },
    ...sendPath,
    answers: {
      200: { body: messageSchema, description: 'The message.', example: exampleMessage },
    },
    admitsInOperation: true,
    lambda: { stack: 'Postmark', tableActions: ['GetItem', 'Query'] },
    words: {
      section: 'Postmark',
      summary: 'Read a message, as with Postmark',
      description:
        'The same keys may read it as with `GET /api/v1/sends/{id}`. A request without a key is refused.',
      fields: messageWords,
      example: { path: { id: exampleIds.send } },
    },
  },
  async (request, capability) => {
    const { credential, pathParameters } = request;
    if (credential === undefined) throw missingApiKey();
    const { send, events } = await readTimeline(request, pathParameters['id'], capability);
    return toMessage(send, events, capability.now());
  },
);
