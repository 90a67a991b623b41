import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import {
  type FunctionDeclaration,
  functionCatalogue,
  httpTimeoutSeconds,
} from '../../constructs/function-catalogue.ts';
import { servingOf } from '../../constructs/lambda-entry.ts';

/** Lambda's Node.js 24 runtime no longer has these callbacks. */
export type LambdaContext = Omit<Context, 'done' | 'fail' | 'succeed'>;
export type LambdaHandler = (event: unknown, context: LambdaContext) => unknown;

/** @param functionName a folder under `functions/`. */
export type HandlerLoader = (functionName: string) => Promise<LambdaHandler>;

export type Outcome =
  | { readonly kind: 'returned'; readonly result: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out' };

/** The deployed timeout, or the default for functions outside the catalogue. */
export const timeoutOf = (functionName: string): number =>
  1_000 * (declarationOf(functionName)?.timeoutSeconds ?? httpTimeoutSeconds);

/** Waits no longer than `patienceMs`. Lambda freezes a function whose time is up; here, nothing can stop it. */
export async function invokeFunction(
  load: HandlerLoader,
  functionName: string,
  event: unknown,
  timeoutMs = timeoutOf(functionName),
  patienceMs = timeoutMs,
): Promise<Outcome> {
  const loaded = await loadOf(load, functionName);
  if (loaded.kind === 'threw') return loaded;
  const { promise: timedOut, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(resolve, patienceMs, { kind: 'timed-out' });
  try {
    const context = newContext(functionName, timeoutMs);
    return await Promise.race([run(loaded.handler, event, context), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws what the function threw, or an Error if it timed out. */
export async function resultOf(
  load: HandlerLoader,
  functionName: string,
  event: unknown,
): Promise<unknown> {
  const outcome = await invokeFunction(load, functionName, event);
  if (outcome.kind === 'returned') return outcome.result;
  throw outcome.kind === 'threw' ? outcome.error : new Error(`${functionName} timed out`);
}

/** Lambda doesn't count loading towards an invocation's time. */
async function loadOf(load: HandlerLoader, functionName: string) {
  try {
    return { kind: 'loaded', handler: await load(functionName) } as const;
  } catch (error) {
    return { kind: 'threw', error } as const;
  }
}

async function run(
  handler: LambdaHandler,
  event: unknown,
  context: LambdaContext,
): Promise<Outcome> {
  try {
    return { kind: 'returned', result: await handler(event, context) };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

function newContext(functionName: string, timeoutMs: number): LambdaContext {
  const deadline = Date.now() + timeoutMs;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: String(declarationOf(functionName)?.memoryMegabytes ?? 512),
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

export const declarationOf = (functionName: string): FunctionDeclaration | undefined =>
  functionCatalogue.find(({ name }) => name === functionName);

/**
 * A function opens what it uses when it loads, in the environment of this moment, so neither loaders nor twins share
 * handlers.
 *
 * @param prepare awaited before a function is loaded.
 */
export function createHandlerLoader(
  prepare: (functionName: string) => Promise<void> = async () => {},
): HandlerLoader {
  const loaded = new Map<string, Promise<LambdaHandler>>();
  return (functionName) => {
    const handler =
      loaded.get(functionName) ?? prepare(functionName).then(() => serveHere(functionName));
    loaded.set(functionName, handler);
    return handler;
  };
}

/** As the Lambda's entry does. */
async function serveHere(functionName: string): Promise<LambdaHandler> {
  const { server, module, served } = servingOf(functionName);
  const file = new URL(`../../../shared/${module}.ts`, import.meta.url);
  const serving: unknown = await import(file.href);
  if (!hasServer(serving, server)) throw new Error(`shared/${module} has no ${server}`);
  return handlerOf({ handler: serving[server](served) }, functionName);
}

const hasServer = <Name extends string>(
  module: unknown,
  name: Name,
): module is Readonly<Record<Name, (served: object) => unknown>> =>
  typeof module === 'object' && module !== null && typeof Reflect.get(module, name) === 'function';

/** @throws Error naming the file if it exports no handler. */
export function handlerOf(module: unknown, file: string): LambdaHandler {
  if (!isHandlerModule(module)) throw new Error(`${file} exports no handler`);
  return module.handler;
}

const isHandlerModule = (module: unknown): module is { readonly handler: LambdaHandler } =>
  typeof module === 'object' &&
  module !== null &&
  'handler' in module &&
  typeof module.handler === 'function';
