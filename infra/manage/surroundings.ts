import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { type DnsLookup, openDnsLookup } from '#shared/domains/dns-lookup';
import { untilInterrupted } from '../local/interruption.ts';
import { type AwsAccount, type AwsChoice, openAwsAccount } from './aws/aws-account.ts';
import { exitCodes, Failure, usageFailure } from './failure.ts';

export type Output = {
  readonly isTerminal: boolean;
  /** Of a terminal. */
  readonly columns?: number | undefined;
  write(text: string): void;
};

/** Everything the program uses from outside. */
export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Relative to the user's folder. */
  readFile(path: string): Buffer;
  listFolder(path: string): readonly string[];
  /** Creates its folder if needed. */
  writeFile(path: string, text: string): void;
  removeFile(path: string): void;
  /** Relative to where npm runs scripts; `undefined` without a checkout. */
  readCheckoutFile(path: string): string | undefined;
  /** File names; none if the folder doesn't exist. */
  listCheckoutFolder(path: string): readonly string[];
  readInput(): Promise<string>;
  readonly fetch: typeof fetch;
  readonly output: Output;
  readonly errors: Output;
  /** `undefined` without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Resolves on Ctrl-C, which no longer ends the program once this is called. */
  untilInterrupted(): Promise<void>;
  openAwsAccount(choice: AwsChoice): Promise<AwsAccount>;
  openDnsLookup(): DnsLookup;
};

type ReadFiles = Pick<Surroundings, 'readFile' | 'readCheckoutFile' | 'listCheckoutFolder'>;

export const readFiles: ReadFiles = {
  readFile: (path) => readFileSync(fromUser(path)),
  readCheckoutFile: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
  listCheckoutFolder: (path) => (existsSync(path) ? readdirSync(path) : []),
};

export const surroundingsOfProcess = (): Surroundings => ({
  environment: process.env,
  ...readFiles,
  listFolder: (path) =>
    readdirSync(fromUser(path), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name),
  writeFile: (path, content) => {
    mkdirSync(dirname(fromUser(path)), { recursive: true });
    writeFileSync(fromUser(path), content);
  },
  removeFile: (path) => rmSync(fromUser(path)),
  readInput: () => text(process.stdin),
  fetch,
  output: outputTo(process.stdout),
  errors: outputTo(process.stderr),
  ask: process.stdin.isTTY && process.stderr.isTTY ? askAtTerminal : undefined,
  now: Date.now,
  sleep: (ms) => setTimeout(ms),
  untilInterrupted,
  openAwsAccount,
  openDnsLookup: () => openDnsLookup(),
});

/** npm runs scripts in the folder of package.json, and says where it was called. */
const fromUser = (path: string): string => resolve(process.env['INIT_CWD'] ?? '', path);

function outputTo(stream: NodeJS.WriteStream): Output {
  // The reader may stop early: `… | head`.
  stream.on('error', (error) => {
    if (!('code' in error && error.code === 'EPIPE')) throw error;
  });
  const { isTTY, columns } = stream;
  return { isTerminal: isTTY === true, columns, write: (text) => void stream.write(text) };
}

async function askAtTerminal(question: string): Promise<string> {
  // On standard error, as standard output is for data and may be a file.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const interruption = new AbortController();
  // Without this, neither Ctrl-C nor Ctrl-D ends the question.
  for (const end of ['SIGINT', 'close'] as const) terminal.once(end, () => interruption.abort());
  try {
    return await terminal.question(question, { signal: interruption.signal });
  } catch {
    throw new Failure(exitCodes.interrupted, 'interrupted', '\nNothing was done.');
  } finally {
    terminal.close();
  }
}

/**
 * A file named by an option; `-` is standard input.
 *
 * @throws Failure if it can't be read.
 */
export async function readNamedFile(
  path: string,
  { readFile, readInput }: Pick<Surroundings, 'readFile' | 'readInput'>,
): Promise<string> {
  if (path === '-') return readInput();
  try {
    return readFile(path).toString();
  } catch {
    throw usageFailure(`Can't read the file ${path}.`);
  }
}
