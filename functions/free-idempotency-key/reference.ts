import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Sends',
  summary: 'Free an idempotency key',
  description: `The next request with the key makes a new email. For keys that were used by mistake, or by somebody with a leaked API key. The send that had the key stays as it is, readable by its id.

Only a key whose send is settled is freed: \`sent\`, \`suppressed\`, or \`failed\` for a reason that SES gave. While SES may have the email, a freed key could mean a second one.

API Gateway cuts a path at \`?\`, percent-encoded or not: a key with \`?\` or \`#\` can’t be freed.`,
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The idempotency key, URL-encoded.' },
  example: { path: { key: 'welcome-ann' } },
  answers: { 204: { description: 'The key is free.' } },
  errors: [
    'idempotency_key_not_found',
    'idempotency_in_progress',
    'send_in_doubt',
    'concurrent_change',
  ],
} as const satisfies EndpointReference;
