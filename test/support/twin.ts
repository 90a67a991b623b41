import { afterAll } from 'vitest';
import type { Account } from '../../infra/local/account.ts';
import { setEnvironment } from '../../infra/local/environment.ts';
import {
  type LocalStack,
  type StackDescription,
  startLocalStack,
} from '../../infra/local/stack.ts';
import { ownDatabase } from './own-database.ts';

type TwinSettings = {
  /** Whether people can sign in with an issuer on this machine. */
  readonly hasIssuer?: boolean;
  /** Whether the table has its stream, from which usage is counted and contacts are listed. */
  readonly hasStream?: boolean;
  /** Whose throttles and concurrency hold. Default: none do. */
  readonly account?: Account;
  /** Of the functions, beside what they need. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** Starts the whole service in this process, with a database of its own, for all tests of a file. */
export const useTwin = async (settings: TwinSettings = {}): Promise<StackDescription> =>
  (await useTwinWithIssuer({ hasIssuer: false, ...settings })).description;

/** As `useTwin`, with an issuer of sign-ins. */
export async function useTwinWithIssuer({
  hasIssuer = true,
  hasStream = false,
  account,
  environment = {},
}: TwinSettings = {}): Promise<Pick<LocalStack, 'description' | 'issuer'>> {
  const database = ownDatabase();
  const restoreEnvironment = setEnvironment(database.environment);
  await database.createTable({ hasStream });
  restoreEnvironment();
  const env = { ...database.environment, ...environment };
  const { description, issuer, stop } = await startLocalStack({
    quiet: true,
    account,
    withIssuer: hasIssuer,
    usage: hasStream,
    env,
  });
  afterAll(stop);
  return { description, issuer };
}
