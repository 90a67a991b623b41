import { type Section, sections } from '#shared/endpoints/endpoint';
import { serviceVersion } from '../version.ts';
import { componentsOf } from './components.ts';
import { describeOperation } from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import type { RoutedEndpoint } from './endpoints.ts';
import type { OpenApiDocument, PathItem } from './openapi-types.ts';

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

function describePaths(endpoints: readonly RoutedEndpoint[]): Record<string, PathItem> {
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
