import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { exampleRequest } from '../../infra/docs/reference/example-request.ts';
import { listen } from '../../infra/local/server.ts';
import { describeService } from '../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../infra/openapi/endpoints.ts';
import { methods, type Operation } from '../../infra/openapi/openapi-types.ts';
import { useTwin } from '../support/twin.ts';

// Each example of the reference, in each language, runs as for a reader. One process runs all examples of a language.

const { baseUrl, manageKey, operatorSecret, cronSecret } = await useTwin();

type Recorded = {
  readonly status: number;
  readonly request: Readonly<Record<'method' | 'url' | 'body', string>> & {
    readonly headers: Readonly<Record<string, unknown>>;
  };
};
const recorded = new Map<string, Recorded>();

/** Passes each request on to the twin, and records it under the example in its path: `/js-12/api/v1/…`. */
const recorder = await listen(
  createServer(async (request, answer) => {
    const [, example = '', url = ''] = /^\/([\w-]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const { method = '' } = request;
    const body = await buffer(request);
    const response = await fetch(`${baseUrl}${url}`, {
      method,
      headers: ownHeaders(request.headers),
      redirect: 'manual',
      ...(body.length > 0 && { body }),
    });
    const headers = ownHeaders(request.headers);
    const { status } = response;
    if (!recorded.has(example)) {
      recorded.set(example, { status, request: { method, url, headers, body: canonical(body) } });
    }
    answer.writeHead(status, { 'Content-Type': response.headers.get('content-type') ?? '' });
    answer.end(Buffer.from(await response.arrayBuffer()));
  }),
  0,
);

/** The headers that an example names; clients add others. */
function ownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const others =
    /^(?:host|connection|cache-control|pragma|content-length|user-agent|accept|accept-|sec-|transfer-)/;
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      others.test(name) || value === undefined ? [] : [[name, `${value}`]],
    ),
  );
}

/** JSON has spaces in one language and none in another. */
function canonical(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(`${body}`));
  } catch {
    return `${body}`;
  }
}

const { paths } = describeService(routedEndpoints);
const operations = Object.entries(paths).flatMap(([path, item]) =>
  methods
    .filter((method) => method !== 'head')
    .flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
);

const folder = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(async () => {
  await recorder.stop();
  rmSync(folder, { recursive: true });
});

type Language = 'js' | 'sh' | 'python';
const textsOf = (language: Language) =>
  operations.map(
    ({ method, path, operation }) => exampleRequest(method, path, operation)[language],
  );
const baseOf = (language: Language, index: number) => `${recorder.url}/${language}-${index}`;

/** All examples of a language. An answer may be an error, as the ids in them are nobody's, or an empty page. */
const programs: Readonly<Record<Language, () => readonly [command: string, program: string]>> = {
  sh: () => [
    'bash',
    textsOf('sh')
      .map((text, index) => `BASE=${baseOf('sh', index)}\n${text}\n`)
      .join(''),
  ],
  js: () => [
    process.execPath,
    textsOf('js')
      .map(
        (text, index) => `process.env.BASE = '${baseOf('js', index)}';
try { await (async () => {
${text}
})(); } catch (error) { if (!(error instanceof SyntaxError)) throw error; }
`,
      )
      .join(''),
  ],
  python: () => [
    'python3',
    `import json, os, urllib.error
for index, text in enumerate(json.loads(${JSON.stringify(JSON.stringify(textsOf('python')))})):
    os.environ["BASE"] = "${recorder.url}/python-" + str(index)
    try:
        exec(text, {})
    except (urllib.error.HTTPError, json.JSONDecodeError):
        pass
`,
  ],
};

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is not here: the examples in Python are not run');
const languages: readonly Language[] = hasPython ? ['sh', 'js', 'python'] : ['sh', 'js'];

// In sequence: some examples change what others read.
for (const language of languages) {
  const [command, program] = programs[language]();
  const file = join(folder, `examples.${language === 'js' ? 'mjs' : language}`);
  writeFileSync(file, program);
  await promisify(execFile)(command, [file], {
    maxBuffer: 2 ** 26,
    env: {
      ...process.env,
      ...{ KEY: manageKey, OPERATOR: operatorSecret, CRON_SECRET: cronSecret, PYTHONUTF8: '1' },
    },
  });
}

describe('the examples of the reference', () => {
  it.each(operations.map(({ operation, ...at }, index) => ({ ...at, operation, index })))(
    'make the same request in every language: $method $path',
    ({ index, operation }) => {
      const [curl, ...others] = languages.map((language) => recorded.get(`${language}-${index}`));

      expect(curl?.request).toMatchObject({ method: expect.stringMatching(/^[A-Z]+$/) });
      for (const other of others) expect(other?.request).toEqual(curl?.request);
      expect(statusesOf(operation)).toContain(curl?.status);
    },
  );
});

const statusesOf = ({ responses }: Operation) => Object.keys(responses).map(Number);
