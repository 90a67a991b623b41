import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import type { FunctionDeclaration } from '../../infra/constructs/function-declaration.ts';
import type { HandlerLoader, LambdaHandler } from '../../infra/local/function-invocation.ts';
import { handlerOf } from '../../infra/local/handler-loader.ts';
import { buildFiles } from '../../infra/openapi/built-files.ts';
import { bundleFunction } from '../bench/bundle.ts';

const catalogue: readonly FunctionDeclaration[] = functionCatalogue;

export type BundledHandlers = {
  /** Where the bundles are, and what two of them serve. */
  readonly folder: string;
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
    const builtFile = catalogue.find(({ name }) => name === functionName)?.builtFile;
    if (builtFile !== undefined) {
      writeFileSync(join(directory, builtFile), (await buildFiles())[builtFile]);
    }
    return handlerOf(await import(file), file);
  };
  return {
    folder: directory,
    load: (functionName) => {
      const handler = loaded.get(functionName) ?? bundleAndLoad(functionName);
      loaded.set(functionName, handler);
      return handler;
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}
