import {
  type MediaType,
  methods,
  type OpenApiDocument,
  type Operation,
  type Response,
} from '../../openapi/openapi-types.ts';
import { namedProgramsOf, type Page } from '../documents.ts';
import { anchorOf } from '../markdown.ts';
import { exampleRequest } from './example-request.ts';
import { asText, fieldList, fieldsOf } from './fields.ts';

export const referencePages = (document: OpenApiDocument): readonly Page[] => [
  ...document.tags.map(({ name, description }) => ({
    path: `api/${anchorOf(name)}`,
    title: name,
    group: 'API reference' as const,
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
    path: 'api/webhook-messages',
    title: 'Webhook messages',
    group: 'API reference',
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
  path: 'api/errors',
  title: 'Errors',
  group: 'API reference',
  markdown: blocks([
    '# Errors',
    'What each `code` means, and what to do. [What clients should do about them](/docs/retries#errors).',
    ...Object.entries(examples).flatMap(([code, { summary }]) => [
      `## \`${code}\``,
      asText(summary),
    ]),
  ]),
});

function operationText(method: string, path: string, operation: Operation): string {
  const example = exampleRequest(method, path, operation);
  return blocks([
    `## ${operation.summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    asText(operation.description),
    accessOf(operation.security),
    ...parametersOf(operation),
    bodyOf(operation),
    '### Example',
    ...Object.entries(example).map(([language, text]) => fenced(language, text)),
    '### Answers',
    ...Object.entries(operation.responses).filter(isSuccess).map(successOf),
    ...errorsOf(operation),
  ]);
}

function messageText(type: string, operation: Operation): string {
  const content = operation.requestBody?.content['application/json'];
  return blocks([
    `## \`${type}\``,
    `${asText(operation.summary)}.`,
    content && fieldList(fieldsOf(content.schema), 'answer'),
    content && exampleAnswer(content),
  ]);
}

/** Separated by empty lines; `undefined` blocks are left out. */
const blocks = (parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join('\n\n');

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

function accessOf(security: Operation['security']): string {
  const [first] = security;
  if (first === undefined) return 'Anybody may call it.';
  if ('cronSecret' in first) return 'Needs the header `X-Cron-Secret`.';
  if ('session' in first) return 'Needs the cookie of a session.';
  if ('operatorSecret' in first) return 'Needs the header `X-Operator-Secret`.';
  const scopes = new Set(security.flatMap(({ apiKey = [] }) => apiKey));
  const named = [...scopes].map((one) => `\`${one}\``).join(' or ');
  const key = scopes.size === 0 ? 'an API key' : `an API key with the scope ${named}`;
  const isOptional = security.some((one) => Object.keys(one).length === 0);
  return isOptional ? `Takes ${key}, or none.` : `Needs ${key}.`;
}

const placeNames = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;

const parametersOf = ({ parameters = [] }: Operation): readonly string[] =>
  (['path', 'query', 'header'] as const).flatMap((place) => {
    const its = parameters.filter((one) => one.in === place);
    if (its.length === 0) return [];
    const fields = its.map(({ required, ...one }) => ({ ...one, isRequired: required }));
    return [`### ${placeNames[place]}`, fieldList(fields, 'request')];
  });

function bodyOf({ requestBody }: Operation): string | undefined {
  const [first] = Object.values(requestBody?.content ?? {});
  if (requestBody === undefined || first === undefined) return undefined;
  const mediaTypes = Object.keys(requestBody.content).map((one) => `\`${one}\``);
  const intro = `${mediaTypes.join(' or ')}${requestBody.required ? '' : '. It may be left out'}.`;
  return blocks(['### Body', intro, fieldList(fieldsOf(first.schema), 'request')]);
}

const isSuccess = ([status]: readonly [string, Response]): boolean => Number(status) < 400;

function successOf([status, { description, headers = {}, content = {} }]: readonly [
  string,
  Response,
]): string {
  const names = Object.keys(headers).filter((name) => name !== 'X-Request-Id');
  const json = content['application/json'];
  const listed = names.map((name) => `\`${name}\``).join(', ');
  return blocks([
    `**${status}** ${asText(description)}${listed && ` Headers: ${listed}.`}`,
    json && fieldList(fieldsOf(json.schema), 'answer'),
    json && exampleAnswer(json),
  ]);
}

const exampleAnswer = ({ example }: MediaType): string | undefined =>
  example === undefined ? undefined : fenced('json', JSON.stringify(example, null, 2));

/** Listed by status; the page of errors explains them. */
function errorsOf({ responses }: Operation): readonly string[] {
  const errors = Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const codes = Object.keys(content['application/problem+json']?.examples ?? {});
    return codes.length === 0 ? [] : [`- **${status}** ${codes.map(errorLink).join(' ')}`];
  });
  return errors.length === 0 ? [] : ['### Errors', errors.join('\n')];
}

const errorLink = (code: string): string => `[\`${code}\`](/docs/api/errors#${code})`;
