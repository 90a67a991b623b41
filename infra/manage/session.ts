import type { Command } from 'commander';
import { type ApiClient, createApiClient } from './api/client.ts';
import { exitCodes, Failure, usageFailure } from './failure.ts';
import { type KeyOptions, type Suggest, suggesting } from './suggestion.ts';
import { readNamedFile, type Surroundings } from './surroundings.ts';
import { findTarget, type Target, type TargetOptions } from './target.ts';
import { createTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

export type Session = {
  readonly target: Target;
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
  readonly suggest: Suggest;
  asManager(): Promise<ApiClient>;
  asOperator(): Promise<ApiClient>;
};

export type ApiSession = Session & { readonly api: ApiClient };

export type Sessions = {
  open(command: Command): Promise<Session>;
  asManager(command: Command): Promise<ApiSession>;
  asOperator(command: Command): Promise<ApiSession>;
};

type Options = TargetOptions &
  TerminalOptions &
  KeyOptions & { readonly operatorSecretFile?: string };

export function openSessions(surroundings: Surroundings): Sessions {
  const open = (command: Command) => openSession(command, surroundings);
  return {
    open,
    asManager: async (command) => {
      const session = await open(command);
      return { ...session, api: await session.asManager() };
    },
    asOperator: async (command) => {
      const session = await open(command);
      return { ...session, api: await session.asOperator() };
    },
  };
}

async function openSession(command: Command, surroundings: Surroundings): Promise<Session> {
  const options: Options = command.optsWithGlobals();
  const terminal = createTerminal(surroundings, options);
  const target = await findTarget(options, surroundings);
  const { baseUrl, whenSilent } = target;
  const suggest = suggesting(options, target, surroundings);
  const clientWith = (headers: Readonly<Record<string, string>>) =>
    createApiClient({ baseUrl, whenSilent, headers, suggest, ...surroundings });
  return {
    target,
    terminal,
    surroundings,
    suggest,
    asManager: async () => {
      const key = await findSecret(keySource(options, target), surroundings);
      return clientWith({ authorization: `Bearer ${key}` });
    },
    asOperator: async () => {
      const secret = await findSecret(operatorSource(options, target), surroundings);
      return clientWith({ 'x-operator-secret': secret });
    },
  };
}

/** A file comes first. None of these shows up in the process list. */
type SecretSource = {
  readonly file: string | undefined;
  readonly variable: string;
  readonly ofTarget: (() => Promise<string>) | undefined;
  /**
   * A deployment's own operator secret takes precedence over the environment's. Keys belong to organizations, so theirs
   * doesn't.
   */
  readonly isTargetsFirst: boolean;
  readonly whenMissing: string;
};

const keySource = ({ keyFile }: Options, { key, name }: Target): SecretSource => ({
  file: keyFile,
  variable: 'EMAIL_SERVICE_KEY',
  ofTarget: key,
  isTargetsFirst: false,
  whenMissing: `This needs an organization's API key for ${name}: set EMAIL_SERVICE_KEY, or name a file with --key-file (- for standard input).`,
});

const operatorSource = (
  { operatorSecretFile }: Options,
  { operatorSecret, name }: Target,
): SecretSource => ({
  file: operatorSecretFile,
  variable: 'EMAIL_SERVICE_OPERATOR_SECRET',
  ofTarget: operatorSecret,
  isTargetsFirst: true,
  whenMissing: `This needs the operator secret of ${name}: set EMAIL_SERVICE_OPERATOR_SECRET, name a file with --operator-secret-file (- for standard input), or name the stack with --stack.`,
});

async function findSecret(
  { file, variable, ofTarget, isTargetsFirst, whenMissing }: SecretSource,
  surroundings: Surroundings,
): Promise<string> {
  const ofEnvironment = async () => surroundings.environment[variable]?.trim();
  const sources = isTargetsFirst ? [ofTarget, ofEnvironment] : [ofEnvironment, ofTarget];
  const secret =
    file === undefined ? await firstOf(sources) : (await readNamedFile(file, surroundings)).trim();
  if (!secret) throw new Failure(exitCodes.denied, 'no_credential', whenMissing);
  // Anything else isn't valid in a header, so it can't be a key: probably the wrong file.
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw usageFailure(`${file ?? variable} doesn't hold a single key.`);
  }
  return secret;
}

async function firstOf(
  sources: readonly ((() => Promise<string | undefined>) | undefined)[],
): Promise<string | undefined> {
  for (const source of sources) {
    const found = await source?.();
    if (found) return found;
  }
  return undefined;
}
