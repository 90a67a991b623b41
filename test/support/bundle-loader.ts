import { join } from 'node:path';
import { type HandlerLoader, handlerOf } from '../../infra/local/gateway/functions.ts';

/**
 * Loads functions as esbuild makes them for the deployment, minified, with its stand-ins for modules of Node.js
 * and the SDK. They keep the environment in which they were loaded from this folder first.
 */
export const createBundleLoader =
  (folder: string): HandlerLoader =>
  async (functionName) => {
    const file = join(folder, `${functionName}.mjs`);
    return handlerOf(await import(file), file);
  };
