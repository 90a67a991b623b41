import { type Section, sections } from '#shared/endpoints/endpoint';
import { componentsOf } from './components.ts';
import { describeOperation } from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import type { OpenApiDocument, PathItem } from './document.ts';
import type { RoutedEndpoint } from './endpoints.ts';

const sectionWords: Readonly<Record<Section, string>> = {
  Emails: 'One request, one email.',
  Attachments: 'Files that are too large for a request are uploaded first.',
  Sends: 'What became of an email.',
  Templates: 'Subjects and bodies with variables, rendered on the server. In beta.',
  Recipients: 'What is known of a person, and its end.',
  Preferences: 'Which emails a contact gets.',
  Suppressions: 'Addresses that get no email.',
  Webhooks: 'Endpoints of yours that are told what happens, and what they were told.',
  Usage: 'What the organization used.',
  Organization: 'What the organization sends as, and how.',
  'API keys': 'Who may call, and how often.',
  Console: 'For the app that people use, and whoever opens it.',
  Operator: 'For who runs the deployment.',
  'Links in emails': 'For people: where the links in emails lead.',
  Reference: 'This description.',
};

const description = `Sends transactional email from your own AWS account.

- Bodies are JSON, with the header \`Content-Type: application/json\`.
- Moments are whole numbers, in milliseconds since 1970, unless a field says otherwise.
- Ids are opaque. They begin with their kind: \`snd_\` a send, \`whk_\` a webhook endpoint.
- An answer may gain fields. A request with an unknown field is refused.
- An error is an RFC 9457 problem. Its \`code\` is for programs, and does not change.
- A key without scopes sends and manages templates.`;

/** Describes the service as an OpenAPI 3.1 document, out of its endpoints. */
export function describeService(endpoints: readonly RoutedEndpoint[]): OpenApiDocument {
  const used = new Set(endpoints.map(({ words }) => words.section));
  const paths = describePaths(endpoints);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Transactional email service',
      version: '1',
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
