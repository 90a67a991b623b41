import { runManage } from '../../infra/manage/program.ts';
import type { Surroundings } from '../../infra/manage/surroundings.ts';
import { unexpected } from './unexpected.ts';

export type Printed = {
  readonly exitCode: number;
  readonly output: string;
  readonly words: string;
};

/** Surroundings in which nothing is there, unless a test says so. */
export const fakeSurroundings = (overrides: Partial<Surroundings> = {}): Surroundings => ({
  environment: {},
  readFile: unexpected('a file to be read'),
  listFolder: unexpected('a folder to be listed'),
  writeFile: unexpected('a file to be written'),
  removeFile: unexpected('a file to be removed'),
  readCheckoutFile: () => undefined,
  listCheckoutFolder: () => [],
  readInput: unexpected('standard input to be read'),
  fetch: unexpected('a request'),
  output: { isTerminal: false, write: unexpected('data') },
  errors: { isTerminal: false, write: unexpected('words') },
  ask: undefined,
  now: unexpected('a look at the clock'),
  sleep: unexpected('a wait'),
  untilInterrupted: unexpected('a wait for Ctrl-C'),
  openAwsAccount: unexpected('a look into AWS'),
  openDnsLookup: unexpected('a look into DNS'),
  ...overrides,
});

type Overrides = Partial<Surroundings> & {
  readonly isTerminal?: boolean;
  readonly columns?: number;
};

/** Runs a command line, as a shell would give it but divided at spaces, and collects what it prints. */
export const manage = (commandLine: string, overrides: Overrides = {}): Promise<Printed> =>
  manageWords(commandLine.split(' ').filter(Boolean), overrides);

export async function manageWords(
  words: readonly string[],
  { isTerminal = false, columns, ...surroundings }: Overrides,
): Promise<Printed> {
  const output: string[] = [];
  const errors: string[] = [];
  const exitCode = await runManage(
    words,
    fakeSurroundings({
      output: { isTerminal, columns, write: (text) => void output.push(text) },
      errors: { isTerminal, columns, write: (text) => void errors.push(text) },
      ...surroundings,
    }),
  );
  return { exitCode, output: output.join(''), words: errors.join('') };
}

export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** An answer of the API. */
export type Reply = {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

/** Stands in for `fetch`: it gives these answers in turn and records who asked what. */
export function fakeFetch(...replies: readonly Reply[]): { fetch: typeof fetch; asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    fetch: async (input, init) => {
      const {
        status = 200,
        body,
        headers,
      } = replies[asked.length] ?? unexpected('a further request')();
      const request = new Request(input, init);
      const text = await request.text();
      asked.push({
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers),
        body: text === '' ? undefined : parseFields(text),
      });
      const type = status < 400 ? 'application/json' : 'application/problem+json';
      return new Response(body === undefined ? null : JSON.stringify(body), {
        status,
        headers: { 'content-type': type, ...headers },
      });
    },
  };
}

function parseFields(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The file of a running twin. */
export const twinFile = JSON.stringify({
  baseUrl: 'http://127.0.0.1:3000',
  manageKey: 'esk_twin',
  operatorSecret: 'twin-operator',
  signingKey: { secretsManagerUrl: 'http://127.0.0.1:3001', secretId: 'key' },
});
export const twin = { readCheckoutFile: () => twinFile };
