import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
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
 * Bundles the functions for all files that want them, in one run of esbuild, when the first of them asks; and the
 * processes that tests kill, as one that loads each module by itself takes a second to start. The answer is the folder.
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
  await build({
    entryPoints: ['gateway-process', 'deliverer-process'].map((name) =>
      join(import.meta.dirname, `${name}.ts`),
    ),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    // For dependencies that are CommonJS.
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
  });
  for (const name of builtFileNames) writeFileSync(join(directory, name), await buildFile(name));
}
