import { afterAll } from 'vitest';
import type { Account } from '../../infra/local/account.ts';
import { setEnvironment } from '../../infra/local/environment.ts';
import { type StackDescription, startLocalStack } from '../../infra/local/stack.ts';
import { ownDatabase } from './own-database.ts';

type TwinSettings = {
  /** Whether the table has its stream, from which usage is counted and contacts are listed. */
  readonly hasStream?: boolean;
  /** Whose throttles and concurrency hold. Default: none do. */
  readonly account?: Account;
  /** Of the functions, beside what they need. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** Starts the whole service in this process, with a database of its own, for all tests of a file. */
export async function useTwin({
  hasStream = false,
  account,
  environment = {},
}: TwinSettings = {}): Promise<StackDescription> {
  const database = ownDatabase();
  const restoreEnvironment = setEnvironment(database.environment);
  await database.createTable({ hasStream });
  restoreEnvironment();
  const env = { ...database.environment, ...environment };
  const { description, stop } = await startLocalStack({
    quiet: true,
    account,
    usage: hasStream,
    env,
  });
  afterAll(stop);
  return description;
}
