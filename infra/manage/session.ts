import type { Command } from 'commander';
import { type ApiClient, openApiClient } from './api/client.ts';
import { exitCodes, Failure, usageFailure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { findTarget, type Target, type TargetOptions } from './target.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** What a command works with: a terminal, a service, and who asks it. */
export type Session = {
  readonly target: Target;
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
  /** Asks with the organization's API key. */
  asManager(): Promise<ApiClient>;
  /** Asks with the operator secret. */
  asOperator(): Promise<ApiClient>;
};

/** Opens the session that the options of a command ask for. */
export type OpenSession = (command: Command) => Promise<Session>;

type CredentialOptions = { readonly keyFile?: string; readonly operatorSecretFile?: string };
type Options = TargetOptions & TerminalOptions & CredentialOptions;

export const sessionOpener =
  (surroundings: Surroundings): OpenSession =>
  async (command) => {
    const options: Options = command.optsWithGlobals();
    const terminal = openTerminal(surroundings, options);
    const target = await findTarget(options, surroundings);
    const { baseUrl, whenSilent } = target;
    const open = (headers: Readonly<Record<string, string>>) =>
      openApiClient({ baseUrl, whenSilent, headers, fetch: surroundings.fetch });
    return {
      target,
      terminal,
      surroundings,
      asManager: async () => {
        const key = await findSecret(keySource(options, target), surroundings);
        return open({ authorization: `Bearer ${key}` });
      },
      asOperator: async () => {
        const secret = await findSecret(operatorSource(options, target), surroundings);
        return open({ 'x-operator-secret': secret });
      },
    };
  };

/** Where a secret may come from: a file first. None of them shows in the list of processes. */
type SecretSource = {
  readonly file: string | undefined;
  readonly variable: string;
  readonly ofTarget: (() => Promise<string>) | undefined;
  /** A target has one operator secret, and another's must not go there. It has many organizations' keys. */
  readonly isTargetsFirst: boolean;
  readonly whenMissing: string;
};

const keySource = ({ keyFile }: Options, { key, name }: Target): SecretSource => ({
  file: keyFile,
  variable: 'EMAIL_SERVICE_KEY',
  ofTarget: key,
  isTargetsFirst: false,
  whenMissing: `This needs an API key of an organization of ${name}: set EMAIL_SERVICE_KEY, or name its file with --key-file (- reads it from standard input).`,
});

const operatorSource = (
  { operatorSecretFile }: Options,
  { operatorSecret, name }: Target,
): SecretSource => ({
  file: operatorSecretFile,
  variable: 'EMAIL_SERVICE_OPERATOR_SECRET',
  ofTarget: operatorSecret,
  isTargetsFirst: true,
  whenMissing: `This needs the operator secret of ${name}: set EMAIL_SERVICE_OPERATOR_SECRET, or name its file with --operator-secret-file (- reads it from standard input), or name the stack with --stack.`,
});

async function findSecret(
  { file, variable, ofTarget, isTargetsFirst, whenMissing }: SecretSource,
  { readFile, readInput, environment }: Surroundings,
): Promise<string> {
  const ofEnvironment = async () => environment[variable]?.trim();
  const sources = isTargetsFirst ? [ofTarget, ofEnvironment] : [ofEnvironment, ofTarget];
  const secret = file === undefined ? await firstOf(sources) : (await readSecret(file)).trim();
  if (!secret) throw new Failure(exitCodes.denied, 'no_credential', whenMissing);
  // Anything else cannot stand in a header, and is no key: a file with something else was named.
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw usageFailure(`${file ?? variable} holds something else than one key.`);
  }
  return secret;

  async function readSecret(path: string): Promise<string> {
    if (path === '-') return readInput();
    try {
      return readFile(path);
    } catch {
      throw usageFailure(`The file ${path} cannot be read.`);
    }
  }
}

/** The first that there is. Those behind it are not asked. */
async function firstOf(
  sources: readonly ((() => Promise<string | undefined>) | undefined)[],
): Promise<string | undefined> {
  for (const source of sources) {
    const found = await source?.();
    if (found) return found;
  }
  return undefined;
}
