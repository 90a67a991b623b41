import type { MediaType, Operation, Response } from '../../openapi/openapi-types.ts';
import { exampleRequest } from './example-request.ts';
import { asText, fieldList, fieldsOf } from './fields.ts';

export function operationText(method: string, path: string, operation: Operation): string {
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

export function messageText(type: string, operation: Operation): string {
  const content = operation.requestBody?.content['application/json'];
  return blocks([
    `## \`${type}\``,
    `${asText(operation.summary)}.`,
    content && fieldList(fieldsOf(content.schema), 'answer'),
    content && exampleAnswer(content),
  ]);
}

/** Separated by empty lines; `undefined` blocks are left out. */
export const blocks = (parts: readonly (string | undefined)[]): string =>
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
