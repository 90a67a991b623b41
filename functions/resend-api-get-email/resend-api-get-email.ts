import { missingApiKey } from '#shared/access/api-key';
import { limitChanges } from '#shared/access/limit-day';
import { hasScope } from '#shared/access/scopes';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sendPath } from '#shared/endpoints/resource-paths';
import { refuseUnsupported } from '#shared/http/unsupported-routes';
import {
  emailSchema,
  emailViewWords,
  exampleListedEmail,
  toEmail,
} from '#shared/resend/email-view';
import { resendApi } from '#shared/resend/unsupported-routes';
import { readingScopes, readTimeline } from '#shared/send-history/admit-timeline-reader';
import { contentRead, findContent, shownBodiesOf } from '#shared/send-history/send-content';
import { readsKeptContents } from '#shared/stored-content/content-store';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    errorForm: 'resend',
    route: 'GET /resend/emails/{id}',
    access: { key: 'required', scope: readingScopes, orWithoutScopes: true, takesTestKeys: true },
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
    admitsInOperation: true,
    uses: { contents: readsKeptContents },
    lambda: {
      stack: 'Resend',
      tableActions: ['GetItem', 'Query'],
      writesAudit: true,
    },
    words: {
      section: 'Resend',
      summary: 'Read an email, as with Resend',
      description:
        'The same keys may read it as with `GET /api/v1/sends/{id}`. A request without a key is refused. `html` and `text` are there if the organization keeps contents and the key has the scope `read_content`: each such reading is audited and counts towards the organization’s daily changes.',
      fields: emailViewWords,
      example: { path: { id: exampleIds.send } },
    },
  },
  async (request, capability) => {
    const { credential, pathParameters, path } = request;
    if (credential === undefined) throw missingApiKey();
    // `GET /emails/metrics` comes here too.
    refuseUnsupported(resendApi, path);
    const { send, reader } = await readTimeline(request, pathParameters['id'], capability);
    const now = capability.now();
    if (reader === undefined || !hasScope(reader.apiKey.scopes, 'read_content')) {
      return toEmail(send, now);
    }
    const content = await findContent(send, now, capability.contents);
    if (content === undefined) return toEmail(send, now);

    // Reading a content is a change that the audit keeps, as with `GET /api/v1/sends/{id}/content`.
    await limitChanges(reader, capability.now(), capability);
    await appendAuditEntry(capability.table, contentRead(reader, send.id, now));
    return toEmail(send, now, await shownBodiesOf(content));
  },
);
