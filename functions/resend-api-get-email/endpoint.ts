import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sendPath } from '#shared/endpoints/resource-paths';
import { emailSchema, emailViewWords, exampleListedEmail } from '#shared/resend/email-view';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  errorForm: 'resend',
  route: 'GET /resend/emails/{id}',
  access: { key: 'required', scope: 'read_sends', orWithoutScopes: true, takesTestKeys: true },
  ...sendPath,
  answers: {
    200: {
      body: emailSchema,
      description: 'The email.',
      example: {
        object: 'email',
        ...exampleListedEmail,
        html: null,
        text: null,
        tags: [{ name: 'kind', value: 'welcome' }],
      },
    },
  },
  errors: ['endpoint_not_found'],
  lambda: { stack: 'Resend', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Resend',
    summary: 'Read an email, as with Resend',
    description:
      'The same keys may read it as with `GET /api/v1/sends/{id}`. A request without a key is refused.',
    fields: emailViewWords,
    example: { path: { id: exampleIds.send } },
  },
});
