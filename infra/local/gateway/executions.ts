import { setTimeout as sleep } from 'node:timers/promises';
import { functionCatalogue } from '../../constructs/function-catalogue.ts';
import { type Account, reservedOf } from '../account.ts';
import {
  declarationOf,
  type HandlerLoader,
  type LambdaContext,
  type LambdaHandler,
  resultOf,
} from './functions.ts';

/** Lambda's TooManyRequestsException: the function didn't run. */
export class TooManyExecutions extends Error {
  override readonly name = 'TooManyExecutions';

  constructor(functionName: string) {
    super(`${functionName} wasn't run: the account's concurrency limit is reached`);
  }
}

/**
 * Runs at most as many functions at once as the account may, no matter what invokes them. A function with a reservation
 * has those executions for itself, and never more; the others share the rest.
 */
export function limitExecutions(load: HandlerLoader, account: Account): HandlerLoader {
  const reserved = functionCatalogue.map((declaration) => reservedOf(declaration, account) ?? 0);
  const shared = account.lambdaConcurrency - reserved.reduce((sum, next) => sum + next, 0);
  const pools = new Map<string, Pool>();
  const poolOf = (functionName: string): Pool => {
    const own = reservedOf(declarationOf(functionName), account);
    const name = own === undefined ? '' : functionName;
    const pool = pools.get(name) ?? { free: own ?? shared };
    pools.set(name, pool);
    return pool;
  };
  return async (functionName) =>
    occupying(await load(functionName), functionName, poolOf(functionName));
}

type Pool = { free: number };

const occupying =
  (handler: LambdaHandler, functionName: string, pool: Pool): LambdaHandler =>
  async (event, context) => {
    if (pool.free <= 0) throw new TooManyExecutions(functionName);
    pool.free -= 1;
    let isOver = false;
    const release = () => {
      if (!isOver) pool.free += 1;
      isOver = true;
    };
    const timer = setTimeout(release, remainingMs(context));
    try {
      return await handler(event, context);
    } finally {
      clearTimeout(timer);
      release();
    }
  };

/** Lambda ends a function whose time is up; here it runs on, without an execution. */
const remainingMs = (context: LambdaContext): number => context.getRemainingTimeInMillis();

type AsynchronousInvocation = {
  readonly maxEventAgeMs: number;
  readonly signal?: AbortSignal;
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
};

const firstPauseMs = 1_000;
const longestPauseMs = 300_000;

/**
 * The way Lambda treats events from SNS, rules and schedules: a throttled one waits in Lambda's own queue, and is
 * retried after a second, two, four and so on, until it's too old (Lambda guide, "How Lambda handles errors and retries
 * with asynchronous invocation").
 *
 * @throws what the function threw, or `TooManyExecutions` when the event is too old.
 */
export async function invokeAsynchronously(
  load: HandlerLoader,
  functionName: string,
  event: unknown,
  { maxEventAgeMs, signal, pause = pauseInBackground }: AsynchronousInvocation,
): Promise<unknown> {
  let ageMs = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await resultOf(load, functionName, event);
    } catch (error) {
      ageMs += pauseMs;
      if (!(error instanceof TooManyExecutions) || ageMs > maxEventAgeMs) throw error;
      await pause(pauseMs, signal);
    }
  }
}

const pauseInBackground = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false });
