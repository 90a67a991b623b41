import { join } from 'node:path';
import { inject } from 'vitest';
import type { HandlerLoader, LambdaHandler } from '../../infra/local/function-invocation.ts';
import { handlerOf } from '../../infra/local/handler-loader.ts';

export type BundledHandlers = {
  /** Where the bundles are, and the files that two of them serve. */
  readonly folder: string;
  readonly load: HandlerLoader;
};

let loaders = 0;

/**
 * The functions as esbuild makes them for the deployment, minified, with its stand-ins for modules of Node.js and
 * the SDK. A handler reads its environment when it is loaded, so every loader loads anew.
 */
export async function openBundledHandlers(): Promise<BundledHandlers> {
  loaders += 1;
  const generation = loaders;
  const answer = await fetch(inject('bundlesUrl'));
  const folder = await answer.text();
  if (!answer.ok) throw new Error(folder);
  const loaded = new Map<string, Promise<LambdaHandler>>();
  const loadHandler = async (functionName: string) => {
    const file = join(folder, `${functionName}.mjs`);
    return handlerOf(await import(`${file}?generation=${generation}`), file);
  };
  return {
    folder,
    load: (functionName) => {
      const handler = loaded.get(functionName) ?? loadHandler(functionName);
      loaded.set(functionName, handler);
      return handler;
    },
  };
}
