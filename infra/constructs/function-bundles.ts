import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import * as z from 'zod';
import { bundling, requireKnownParts } from './bundling.ts';
import {
  declaringFunction,
  declaringNames,
  type FunctionDeclaration,
  functionCatalogue,
} from './function-catalogue.ts';
import { writeLambdaEntries } from './lambda-entry.ts';
import { beginMaking, endMaking, isBeingMade, publishFolder } from './shared-folder.ts';

export type FunctionBundles = {
  codeOf(functionName: string): Code;
  /** Safe once each function has staged a copy as its asset. */
  remove(): void;
};

const root = join(import.meta.dirname, '../..');

/**
 * One run of esbuild for all: CDK's `NodejsFunction` starts a process per function, which takes several times as long.
 */
export function bundleFunctions(
  scope: Construct,
  declarations: readonly FunctionDeclaration[],
): FunctionBundles {
  // Tests only look at the template, and some CDK commands don't need the code either.
  if (!Stack.of(scope).bundlingRequired) {
    return { codeOf: (name) => Code.fromAsset(join(root, 'functions', name)), remove: () => {} };
  }
  const outdir = mkdtempSync(join(outputOf(scope), 'bundles-'));
  writeBundles(declarations, outdir);
  return {
    codeOf: (name) => Code.fromAsset(join(outdir, name)),
    remove: () => rmSync(outdir, { recursive: true }),
  };
}

const metafileSchema = z.object({
  inputs: z.record(z.string(), z.object({ imports: z.array(z.object({ path: z.string() })) })),
  outputs: z.record(
    z.string(),
    z.object({
      bytes: z.int(),
      entryPoint: z.string().optional(),
      inputs: z.record(z.string(), z.object({ bytesInOutput: z.int() })),
    }),
  ),
});

export type BundlesMetafile = z.output<typeof metafileSchema>;

export const allDeclarations = [...functionCatalogue, ...declaringNames.map(declaringFunction)];

type Bundled = Pick<FunctionDeclaration, 'name' | 'builtFile'>;

/**
 * Bundles each function into a folder of its name, with its built file. `SHARED_BUNDLES` names a folder for several
 * processes that bundle the same sources, as `.ci/run` starts: the first writes all functions there, and the others
 * wait and copy them.
 */
export function writeBundles(declarations: readonly Bundled[], outdir: string): BundlesMetafile {
  const shared = process.env['SHARED_BUNDLES'];
  return shared === undefined ? bundle(declarations, outdir) : copyShared(shared, outdir);
}

function copyShared(folder: string, outdir: string): BundlesMetafile {
  const description = join(folder, 'metafile.json');
  for (;;) {
    if (existsSync(folder)) {
      cpSync(folder, outdir, { recursive: true, filter: (path) => path !== description });
      return metafileSchema.parse(JSON.parse(readFileSync(description, 'utf8')));
    }
    if (beginMaking(folder) || !isBeingMade(folder)) return makeShared(folder, outdir);
    waitSync(100);
  }
}

function makeShared(folder: string, outdir: string): BundlesMetafile {
  try {
    // In their final folder, as source maps have relative paths.
    const metafile = bundle(allDeclarations, outdir);
    const draft = mkdtempSync(join(dirname(folder), 'bundles-'));
    cpSync(outdir, draft, { recursive: true });
    writeFileSync(join(draft, 'metafile.json'), JSON.stringify(metafile));
    publishFolder(draft, folder);
    return metafile;
  } finally {
    endMaking(folder);
  }
}

/** CDK builds its tree synchronously. */
const waitSync = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function bundle(declarations: readonly Bundled[], outdir: string): BundlesMetafile {
  const { entryOf, remove } = writeLambdaEntries(outdir);
  const { metafile } = buildSync({
    ...bundling,
    entryPoints: declarations.map(({ name }) => ({ in: entryOf(name), out: `${name}/index` })),
    outdir,
    outExtension: { '.js': '.mjs' },
    metafile: true,
  });
  remove();
  requireKnownParts(metafile.inputs);
  writeBuiltFiles(
    declarations.flatMap(({ name, builtFile }) => (builtFile ? join(outdir, name, builtFile) : [])),
  );
  return metafile;
}

/** In a separate process, as CDK builds its tree synchronously. */
const writeBuiltFiles = (files: readonly string[]): void => {
  if (files.length === 0) return;
  execFileSync(process.execPath, ['infra/built-files/write.ts', ...files], { cwd: root });
};

function outputOf(scope: Construct): string {
  const stage = Stage.of(scope);
  if (!App.isApp(stage)) throw new Error('The functions can only be bundled in an app');
  return stage.outdir;
}
