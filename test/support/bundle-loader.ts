import { join } from 'node:path';
import type { HandlerLoader, LambdaHandler } from '../../infra/local/function-invocation.ts';
import { handlerOf } from '../../infra/local/handler-loader.ts';

let loaders = 0;

/**
 * Loads functions as esbuild makes them for the deployment, minified, with its stand-ins for modules of Node.js
 * and the SDK. A handler reads its environment when it is loaded, so every loader loads anew.
 */
export function createBundleLoader(folder: string): HandlerLoader {
  loaders += 1;
  const generation = loaders;
  const loaded = new Map<string, Promise<LambdaHandler>>();
  const loadHandler = async (functionName: string) => {
    const file = join(folder, `${functionName}.mjs`);
    return handlerOf(await import(`${file}?generation=${generation}`), file);
  };
  return (functionName) => {
    const handler = loaded.get(functionName) ?? loadHandler(functionName);
    loaded.set(functionName, handler);
    return handler;
  };
}
