import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';
import { exampleSend } from '#shared/sending/send-reference';

export const reference = {
  section: 'Sends',
  summary: 'List sends',
  description: `The sends of the organization, newest first. A send of the last seconds may be missing.

\`to\`, \`from\` and \`until\` lead straight to their sends. For \`status\`, \`template\` and \`key\` one request looks through 500 sends at most: its page may have fewer entries than \`limit\`, or none, and still a \`nextCursor\`.`,
  access: { key: 'required', scope: ['read_sends', 'manage_organization'] },
  fields: {
    to: 'Only sends whose `to` is this address, in any case. Not those that have it in `cc` or `bcc`.',
    from: 'Made then or later: epoch milliseconds, or ISO 8601 such as `2026-11-21T09:00:00Z`. A date alone begins at midnight UTC.',
    until: 'Made earlier, in the same forms.',
    status: 'As the send is now.',
    template: 'The id of a template.',
    key: 'The id of the API key that made the last attempt.',
    lookedUntil:
      'Every match that was made after this moment is in this page or an earlier one. `null` at the end.',
    'data.status':
      '`sending`: an attempt is under way or in doubt. `sent`: SES took it. `suppressed`: no email went out. `failed`: see `failureReason`.',
    'data.createdAt': 'When the send was made, in epoch milliseconds.',
    'data.attempts': 'The attempts that failed before this state, oldest first.',
    'data.attempts.at': 'When the failure was known, in epoch milliseconds.',
    'data.attempts.reason': 'SES’s name for the failure, for example `MessageRejected`, or ours.',
    apiKeyId: 'The API key that made the last attempt.',
  },
  example: { query: { to: 'ann@example.com', status: 'sent', limit: '1' } },
  answers: {
    200: {
      description: 'A page of sends.',
      example: {
        data: [{ ...exampleSend, apiKeyId: exampleIds.apiKey }],
        nextCursor: null,
        lookedUntil: null,
      },
    },
  },
} as const satisfies EndpointReference;
