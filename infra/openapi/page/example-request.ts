import type { Operation } from '../document.ts';

/** An example of a request, as a command line. */
export function exampleRequest(method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, security } = operation;
  const examplesIn = (place: string) =>
    parameters.flatMap((one) =>
      one.in === place && one.example !== undefined ? [[one.name, `${one.example}`] as const] : [],
    );
  const filled = examplesIn('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    path,
  );
  const query = `${new URLSearchParams(Object.fromEntries(examplesIn('query')))}`;
  const [mediaType = '', body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const headers = [
    ...credentialOf(security),
    ...examplesIn('header').map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Type: ${mediaType}`]),
  ];
  const url = `$BASE${filled}${query && `?${query}`}`;
  return [
    `curl${methodOption(method, body !== undefined)} "${url}"`,
    ...headers.map((header) => `-H ${header.includes('$') ? `"${header}"` : `'${header}'`}`),
    ...(body === undefined
      ? []
      : [`${bodyOption(mediaType)} '${bodyText(mediaType, body.example)}'`]),
  ].join(' \\\n  ');
}

function methodOption(method: string, hasBody: boolean): string {
  if (method === 'head') return ' --head';
  return method === (hasBody ? 'post' : 'get') ? '' : ` -X ${method.toUpperCase()}`;
}

function credentialOf(security: Operation['security']): readonly string[] {
  const [first = {}] = security;
  if ('apiKey' in first) return ['Authorization: Bearer $KEY'];
  if ('operatorSecret' in first) return ['X-Operator-Secret: $OPERATOR'];
  return 'cronSecret' in first ? ['X-Cron-Secret: $CRON_SECRET'] : [];
}

const bodyOption = (mediaType: string): string =>
  mediaType === 'text/csv' ? '--data-binary' : '-d';

function bodyText(mediaType: string, example: unknown): string {
  if (mediaType === 'application/json') return JSON.stringify(example, null, 2);
  if (mediaType === 'text/csv') return `${example}`;
  const fields = Object.entries(Object(example)).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, `${one}`]),
  );
  return `${new URLSearchParams(fields)}`;
}
