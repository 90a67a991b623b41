import { bucketEnvironment } from '#shared/config/environment';
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
        html: '<p>Hello Ann</p>',
        text: 'Hello Ann',
        tags: [{ name: 'kind', value: 'welcome' }],
      },
    },
  },
  errors: ['endpoint_not_found'],
  isLimited: true,
  lambda: {
    stack: 'Resend',
    environment: bucketEnvironment,
    tableActions: ['GetItem', 'Query'],
    writesAudit: true,
    contents: { kept: ['Get'] },
  },
  words: {
    section: 'Resend',
    summary: 'Read an email, as with Resend',
    description:
      'The same keys may read it as with `GET /api/v1/sends/{id}`. A request without a key is refused. `html` and `text` are there if the organization keeps contents and the key has the scope `read_content`: each such reading is in the audit, and counts towards the organization’s changes of the day.',
    fields: emailViewWords,
    example: { path: { id: exampleIds.send } },
  },
});
