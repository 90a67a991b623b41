import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandlerLoader, LambdaHandler } from '../../infra/local/function-invocation.ts';
import { handlerOf } from '../../infra/local/handler-loader.ts';
import { bundleFunction } from '../bench/bundle.ts';

export type BundledHandlers = {
  /** Bundles a function when it is first asked for. */
  readonly load: HandlerLoader;
  /** Removes the bundles. */
  remove(): void;
};

/** The functions as they are deployed: one minified file each. */
export function createBundledHandlers(): BundledHandlers {
  const directory = mkdtempSync(join(tmpdir(), 'bundled-handlers-'));
  const loaded = new Map<string, Promise<LambdaHandler>>();
  const bundleAndLoad = async (functionName: string) => {
    const { file } = await bundleFunction(functionName, directory);
    return handlerOf(await import(file), file);
  };
  return {
    load: (functionName) => {
      const handler = loaded.get(functionName) ?? bundleAndLoad(functionName);
      loaded.set(functionName, handler);
      return handler;
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}
