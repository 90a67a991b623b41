import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { builtFileNames } from '#shared/endpoints/lambda';
import { buildFile } from '../../infra/built-files/build-files.ts';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { listen } from '../../infra/local/server.ts';
import { bundleFunctions } from '../bench/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    bundlesUrl: string;
  }
}

/**
 * Bundles the functions for all files that want them, in one run of esbuild, when the first of them asks.
 * The answer is the folder.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'bundled-functions-'));
  let bundled: Promise<void> | undefined;
  const server = createServer(async (_request, response) => {
    bundled ??= bundleInto(directory);
    const fault = await bundled.then(() => undefined, String);
    response.writeHead(fault === undefined ? 200 : 500).end(fault ?? directory);
  });
  const { url, stop } = await listen(server, 0);
  project.provide('bundlesUrl', url);
  return async () => {
    await stop();
    rmSync(directory, { recursive: true });
  };
}

async function bundleInto(directory: string): Promise<void> {
  await bundleFunctions(
    functionCatalogue.map(({ name }) => name),
    directory,
  );
  for (const name of builtFileNames) writeFileSync(join(directory, name), await buildFile(name));
}
