import { type Section, sections } from '#shared/endpoints/endpoint';
import { reportedOptionNames } from '#shared/sending/send-options';
import { serviceVersion } from '../version.ts';
import { componentsOf } from './components.ts';
import { describeOperation } from './describe-operation.ts';
import { describeSchema } from './describe-schema.ts';
import type { RoutedEndpoint } from './endpoints.ts';
import type { OpenApiDocument, Operation, Parameter, PathItem } from './openapi-types.ts';
import { webhookMessages } from './webhook-messages.ts';

const sectionWords: Readonly<Record<Section, string>> = {
  Emails: 'One request, one email.',
  Attachments: 'Upload files that are too large for a request.',
  Sends: 'What happened to each email.',
  Templates: 'Subjects and bodies with variables, rendered by the service. In beta.',
  Recipients: 'What the service knows about a person, and how to erase it.',
  Preferences: 'Which emails a contact gets.',
  Suppressions: 'Addresses that get no email, and why.',
  Webhooks: 'Your endpoints for events, and what was delivered to them.',
  Usage: 'What the organization has used.',
  Organization: 'Who the organization sends as, and how.',
  'API keys': 'Who may call the API, and how often.',
  People: 'Those who sign in to the console with their address, each with a role.',
  Console: 'The app for people, and how they sign in.',
  Operator: 'For the operator of the deployment.',
  'Links in emails': 'The pages that links in emails open.',
  Reference: 'This description.',
  Resend:
    'For programs written for Resend’s API: the same service with its routes, fields and errors.',
  Postmark: 'The same for Postmark’s API.',
};

const description = `Sends transactional email from your own AWS account.

- Bodies are JSON, with the header \`Content-Type: application/json\`.
- Times are integers, milliseconds since 1970 (UTC), unless a field says otherwise.
- Ids are opaque. The prefix is the kind: \`snd_\` for a send, \`whk_\` for a webhook endpoint.
- Responses may gain fields. Requests with unknown fields are refused.
- Every answer of a function has its version as \`X-Service-Version\`.
- Errors are RFC 9457 problems. Their \`code\` is for programs and never changes.
- A key without scopes can send and manage templates.`;

export function describeService(endpoints: readonly RoutedEndpoint[]): OpenApiDocument {
  const used = new Set(endpoints.map(({ words }) => words.section));
  const paths = describePaths(endpoints);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Transactional email service',
      version: serviceVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this description is served.' }],
    tags: sections
      .filter((name) => used.has(name))
      .map((name) => ({ name, description: sectionWords[name] })),
    paths,
    webhooks: describeWebhooks(),
    components: componentsOf(paths),
  };
}

export function describePaths(endpoints: readonly RoutedEndpoint[]): Record<string, PathItem> {
  const byPath = Map.groupBy(endpoints, ({ at }) => at.path);
  return Object.fromEntries(
    [...byPath].map(([path, its]) => [
      path.replace('+}', '}'),
      Object.fromEntries(
        its.map((endpoint) => [endpoint.at.method.toLowerCase(), describeOperation(endpoint)]),
      ),
    ]),
  );
}

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  description,
  required: true,
  schema: { type: 'string' },
  example,
});

const headers: readonly Parameter[] = [
  header(
    'webhook-id',
    'The message. It is the same at every attempt and redelivery: deduplicate on it.',
    'msg_n4c2wmiwi5xkqr3dk7qf3zu2ol5hy6tb',
  ),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1795251600'),
  header(
    'webhook-signature',
    '`v1,` and base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. The key is the part of the secret after `whsec_`, decoded from base64. During a rotation there are several, divided by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const words = {
  type: 'What happened.',
  timestamp: 'When it happened, as ISO 8601.',
  data: 'To what it happened.',
  contactId: 'The contact.',
  email: 'The address of the contact. Absent when the contact was erased.',
  to: 'The `to` address of the send, also when a cc or bcc bounced.',
  policyKey: 'The policy of the send.',
  reason: 'What kind, in SES’s words; of a suppression, why.',
  recipients: 'Whose it is, with the words of their server.',
  diagnostic: 'The words of the recipient’s server.',
  suppressedRecipients: 'The addresses left out, and why.',
  sendAt: 'When it will be sent, as ISO 8601.',
  at: 'Since when the address was suppressed, in epoch milliseconds.',
  possible:
    'Set if any of several recipients may have complained. If it was this one, another message follows.',
  machine: 'Whether only machines were seen so far: prefetches, link scanners, bots.',
  url: 'Where the link leads, without query and fragment; without its path, too, once a recipient was erased.',
  subscriptions: 'The categories that were changed.',
  resubscribed: 'Whether this ended an unsubscribe from everything.',
  webhookId: 'The webhook endpoint.',
  domain: 'The domain.',
  fromEmail: 'The From address of every email.',
  messageId: 'SES’s ID of the message.',
  allTo: 'Every `to` of the send, if there are several.',
  cc: 'The `cc` of the send, if it has any. No message lists its `bcc`.',
  test: 'Set on an email of a test key, which isn’t sent.',
  ...Object.fromEntries(
    reportedOptionNames.map((name) => [name, `The ${name} of the send, if it has any.`]),
  ),
};

const describeMessage = (message: (typeof webhookMessages)[number]): Operation => ({
  operationId: `receive-${message.type}`.replaceAll(/[-._](\w)/g, (_, letter: string) =>
    letter.toUpperCase(),
  ),
  tags: ['Webhooks'],
  summary: message.summary,
  description:
    'A message follows Standard Webhooks. It may arrive more than once, and messages may arrive out of order. Opens and clicks are reported twice at most: the first hit, and, if that was a machine’s, the first by a person. More types may be added, and an endpoint without `eventTypes` gets those too.',
  security: [],
  parameters: headers,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: describeSchema(message.schema, 'output', { ...words, ...message.words }),
        example: message.example,
      },
    },
  },
  responses: {
    '2XX': { description: 'Received, within 15 seconds.' },
    410: { description: 'The endpoint is gone. It is disabled.' },
    default: { description: 'Not received. The message is retried.' },
  },
});

const describeWebhooks = (): Readonly<Record<string, PathItem>> =>
  Object.fromEntries(
    webhookMessages.map((message) => [message.type, { post: describeMessage(message) }]),
  );
