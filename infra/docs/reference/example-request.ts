import type { Operation } from '../../openapi/openapi-types.ts';

type Header = {
  readonly name: string;
  readonly value: string;
  /** An environment variable at the end of the value. */
  readonly variable?: string;
};

type ExampleRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body?: { readonly mediaType: string; readonly example: unknown };
  readonly answersJson: boolean;
};

export function exampleRequest(method: string, path: string, operation: Operation) {
  const request = requestOf(method, path, operation);
  return { js: inNode(request), python: inPython(request), sh: inCurl(request) };
}

function requestOf(method: string, path: string, operation: Operation): ExampleRequest {
  const { parameters = [], requestBody, security, responses } = operation;
  const examplesIn = (place: string) =>
    parameters.flatMap((one) =>
      one.in === place && one.example !== undefined ? [[one.name, `${one.example}`] as const] : [],
    );
  const filled = examplesIn('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURI(value)),
    path,
  );
  const query = `${new URLSearchParams(Object.fromEntries(examplesIn('query')))}`;
  const [content] = Object.entries(requestBody?.content ?? {});
  const [mediaType = '', body] = content ?? [];
  return {
    method: method.toUpperCase(),
    path: `${filled}${query && `?${query}`}`,
    headers: [
      ...credentialOf(security),
      ...examplesIn('header').map(([name, value]) => ({ name, value })),
      ...(body === undefined ? [] : [{ name: 'Content-Type', value: mediaType }]),
    ],
    ...(body !== undefined && { body: { mediaType, example: body.example } }),
    answersJson: Object.entries(responses).some(
      ([status, { content = {} }]) =>
        status.startsWith('2') && Object.keys(content).join() === 'application/json',
    ),
  };
}

function credentialOf(security: Operation['security']): readonly Header[] {
  const [first = {}] = security;
  if ('postmarkToken' in first) {
    return [{ name: 'X-Postmark-Server-Token', value: '', variable: 'KEY' }];
  }
  if ('apiKey' in first) return [{ name: 'Authorization', value: 'Bearer ', variable: 'KEY' }];
  if ('operatorSecret' in first) {
    return [{ name: 'X-Operator-Secret', value: '', variable: 'OPERATOR' }];
  }
  return 'cronSecret' in first
    ? [{ name: 'X-Cron-Secret', value: '', variable: 'CRON_SECRET' }]
    : [];
}

function inCurl({ method, path, headers, body }: ExampleRequest): string {
  const data = body?.mediaType === 'text/csv' ? '--data-binary' : '-d';
  return [
    `curl${curlMethod(method, body !== undefined)} "$BASE${path}"`,
    ...headers.map(({ name, value, variable }) =>
      variable ? `-H "${name}: ${value}$${variable}"` : `-H ${shellText(`${name}: ${value}`)}`,
    ),
    ...(body ? [`${data} ${shellText(bodyText(body))}`] : []),
  ].join(' \\\n  ');
}

function curlMethod(method: string, hasBody: boolean): string {
  if (method === 'HEAD') return ' --head';
  return method === (hasBody ? 'POST' : 'GET') ? '' : ` -X ${method}`;
}

const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function bodyText({ mediaType, example }: NonNullable<ExampleRequest['body']>): string {
  if (mediaType === 'application/json') return JSON.stringify(example, null, 2);
  if (mediaType === 'text/csv') return `${example}`;
  const fields = Object.entries(Object(example)).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, `${one}`]),
  );
  return `${new URLSearchParams(fields)}`;
}

function inNode({ method, path, headers, body, answersJson }: ExampleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0
      ? []
      : ['  headers: {', ...headers.map((one) => `    ${nodeHeader(one)},`), '  },']),
    ...(body ? [`  body: ${indented(nodeBody(body))},`] : []),
  ];
  const url = `\`\${process.env.BASE}${path}\``;
  const call =
    options.length === 0 ? `fetch(${url})` : `fetch(${url}, {\n${options.join('\n')}\n})`;
  return [
    `const response = await ${call};`,
    `console.log(response.status, await response.${answersJson ? 'json' : 'text'}());`,
  ].join('\n');
}

const nodeHeader = ({ name, value, variable }: Header): string => {
  const key = /^\w+$/.test(name) ? name : `'${name}'`;
  if (!variable) return `${key}: ${nodeText(value)}`;
  return value === ''
    ? `${key}: process.env.${variable}`
    : `${key}: \`${value}\${process.env.${variable}}\``;
};

const nodeText = (text: string): string =>
  `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`).replaceAll('\n', String.raw`\n`)}'`;

const nodeBody = (body: NonNullable<ExampleRequest['body']>): string =>
  body.mediaType === 'application/json'
    ? `JSON.stringify(${JSON.stringify(body.example, null, 2)})`
    : nodeText(bodyText(body));

const indented = (text: string, by = '  '): string => text.replaceAll('\n', `\n${by}`);

function inPython({ method, path, headers, body, answersJson }: ExampleRequest): string {
  const isJson = body?.mediaType === 'application/json';
  const modules = [...(isJson || answersJson ? ['json'] : []), 'os', 'urllib.request'];
  return [
    `import ${modules.join(', ')}`,
    '',
    'request = urllib.request.Request(',
    `    os.environ["BASE"] + ${JSON.stringify(path)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length === 0
      ? []
      : ['    headers={', ...headers.map((one) => `        ${pythonHeader(one)},`), '    },']),
    ...(body ? [`    data=${indented(pythonBody(body), '    ')}.encode(),`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    print(response.status, ${answersJson ? 'json.load(response)' : 'response.read().decode()'})`,
  ].join('\n');
}

const pythonHeader = ({ name, value, variable }: Header): string => {
  const text = variable && value === '' ? [] : [JSON.stringify(value)];
  const read = variable ? [`os.environ["${variable}"]`] : [];
  return `"${name}": ${[...text, ...read].join(' + ')}`;
};

const pythonBody = (body: NonNullable<ExampleRequest['body']>): string =>
  body.mediaType === 'application/json'
    ? `json.dumps(${pythonValue(body.example)})`
    : JSON.stringify(bodyText(body));

function pythonValue(value: unknown, by = ''): string {
  const inner = `${by}    `;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Array.isArray(value)
    ? value.map((entry) => pythonValue(entry, inner))
    : Object.entries(value).map(
        ([name, entry]) => `${JSON.stringify(name)}: ${pythonValue(entry, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${by}${close}`;
}
