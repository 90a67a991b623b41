import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/idempotency-keys/{key+}',
  access: {
    key: 'required',
    scope: 'manage_organization',
    takesTestKeys: true,
    scopeOfTestKeys: 'send_email',
  },
  path: z.object({ key: z.string() }),
  query: z.strictObject({ test: z.optional(z.enum(['true', 'false'])) }),
  unmatchedPath: 'idempotency_key_not_found',
  answers: { 204: { description: 'The key is free.' } },
  errors: ['idempotency_in_progress', 'send_in_doubt', 'send_waiting', 'concurrent_change'],
  isLimited: true,
  lambda: { stack: 'Organizations', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Sends',
    summary: 'Free an idempotency key',
    description: `Use this for a key that was used by mistake, or with a leaked API key. The next request with the key makes a new email. The send that had the key stays as it is, readable by its ID.

Test emails have separate idempotency keys. A test key with \`send_email\` frees those of test emails, and so does \`test=true\`. That is no change of the organization: it isn’t in the audit.

The send must be settled: \`sent\`, \`suppressed\`, \`canceled\`, or \`failed\` for a reason that SES gave. As long as SES may have the email, a freed key could send a second one.

API Gateway cuts a path at \`?\`, percent-encoded or not, so a key with \`?\` or \`#\` can’t be freed.`,
    fields: {
      key: 'The idempotency key, URL-encoded.',
      test: '`true`: the key of test emails, as always with a test key.',
    },
    example: { path: { key: 'welcome-ann' } },
  },
});
