import {
  apiKeyFieldWords,
  apiKeyViewSchema,
  exampleApiKey,
  toApiKeyView,
} from '#shared/access/api-key-fields';
import { defineEndpoint } from '#shared/endpoints/endpoint';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/api-key',
    access: { key: 'required', takesTestKeys: true },
    answers: {
      200: {
        body: apiKeyViewSchema,
        description: 'The key, without its text.',
        example: exampleApiKey,
      },
    },
    lambda: { stack: 'Account', tableActions: ['GetItem'] },
    words: {
      section: 'API keys',
      summary: 'Read the API key of the request',
      description:
        'What the key may do, and until when. Works with any key, test keys too, so a program can check its key without sending anything.',
      fields: apiKeyFieldWords,
    },
  },
  async ({ caller }, { now }) => toApiKeyView(caller.apiKey, now()),
);
