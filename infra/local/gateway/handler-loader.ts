import type { HandlerLoader, LambdaHandler } from './function-invocation.ts';

const functionsFolder = new URL('../../../functions/', import.meta.url);

let loaders = 0;

/**
 * Loads handlers from `functions/`. A handler reads its environment when it is loaded, so every
 * loader loads anew: a second twin in the same process gets handlers of its own.
 *
 * @param prepare is waited for before a function is loaded.
 */
export function createHandlerLoader(
  prepare: (functionName: string) => Promise<void> = async () => {},
): HandlerLoader {
  loaders += 1;
  const generation = loaders;
  const loaded = new Map<string, Promise<LambdaHandler>>();
  return (functionName) => {
    const handler =
      loaded.get(functionName) ??
      prepare(functionName).then(() => loadHandler(functionName, generation));
    loaded.set(functionName, handler);
    return handler;
  };
}

async function loadHandler(functionName: string, generation: number): Promise<LambdaHandler> {
  const file = new URL(`${functionName}/handler.ts?generation=${generation}`, functionsFolder);
  return handlerOf(await import(file.href), `${functionName}/handler.ts`);
}

/** The handler that a module exports. @throws Error naming the file when it exports none. */
export function handlerOf(module: unknown, file: string): LambdaHandler {
  if (!isHandlerModule(module)) throw new Error(`${file} exports no handler`);
  return module.handler;
}

const isHandlerModule = (module: unknown): module is { readonly handler: LambdaHandler } =>
  typeof module === 'object' &&
  module !== null &&
  'handler' in module &&
  typeof module.handler === 'function';
