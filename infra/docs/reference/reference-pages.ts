import { methods, type OpenApiDocument } from '../../openapi/openapi-types.ts';
import { namedProgramsOf, type Page } from '../documents.ts';
import { anchorOf } from '../markdown.ts';
import { asText } from './fields.ts';
import { blocks, messageText, operationText } from './operation-text.ts';

export const referencePages = (document: OpenApiDocument): readonly Page[] => [
  ...document.tags.map(({ name, description }) => ({
    ...{ path: `api/${anchorOf(name)}`, title: name, group: 'API reference' as const },
    markdown: blocks([`# ${name}`, asText(description), ...operationsOf(document, name)]),
  })),
  messagesPage(document),
  errorsPage(document),
];

/** `HEAD` answers as `GET` does, without the body, so `GET`'s text covers it. */
const operationsOf = ({ paths }: OpenApiDocument, tag: string): readonly string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method !== 'head')
      .flatMap((method) => {
        const operation = item[method];
        return operation?.tags.includes(tag) ? [operationText(method, path, operation)] : [];
      }),
  );

function messagesPage({ webhooks }: OpenApiDocument): Page {
  const messages = Object.entries(webhooks).flatMap(([type, { post }]) =>
    post === undefined ? [] : [{ type, post }],
  );
  const [first] = messages;
  const headers = first?.post.parameters?.map(
    ({ name, description }) => `- \`${name}\`: ${asText(description)}`,
  );
  return {
    ...{ path: 'api/webhook-messages', title: 'Webhook messages', group: 'API reference' },
    markdown: blocks([
      '# Webhook messages',
      first && asText(first.post.description),
      headers?.join('\n'),
      'A receiver that checks them, as [Verify webhooks](/docs/verify-webhooks) runs it:',
      ...namedProgramsOf('verify-webhooks.md'),
      ...messages.map(({ type, post }) => messageText(type, post)),
    ]),
  };
}

const errorsPage = ({ components: { examples } }: OpenApiDocument): Page => ({
  ...{ path: 'api/errors', title: 'Errors', group: 'API reference' },
  markdown: blocks([
    '# Errors',
    'What each `code` means, and what to do. [What clients should do about them](/docs/retries#errors).',
    ...Object.entries(examples).flatMap(([code, { summary }]) => [
      `## \`${code}\``,
      asText(summary),
    ]),
  ]),
});
