import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync, type Metafile } from 'esbuild';
import { bundling } from './bundling.ts';
import type { FunctionDeclaration } from './function-catalogue.ts';

export type FunctionBundles = {
  codeOf(functionName: string): Code;
  /** Each function has staged a copy as its asset. */
  remove(): void;
};

const root = join(import.meta.dirname, '../..');

/**
 * In one run of esbuild: CDK's `NodejsFunction` starts a process for each function, which takes several times as long.
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

export function writeBundles(
  declarations: readonly FunctionDeclaration[],
  outdir: string,
): Metafile {
  const { metafile } = buildSync({
    ...bundling,
    mainFields: [...bundling.mainFields],
    absWorkingDir: root,
    entryPoints: declarations.map(({ name }) => ({
      in: `functions/${name}/handler.ts`,
      out: `${name}/index`,
    })),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    metafile: true,
  });
  writeBuiltFiles(
    declarations.flatMap(({ name, builtFile }) => (builtFile ? join(outdir, name, builtFile) : [])),
  );
  return metafile;
}

/** In another process, as CDK builds its tree without waiting for anything. */
const writeBuiltFiles = (files: readonly string[]): void => {
  execFileSync(process.execPath, ['infra/built-files/write.ts', ...files], { cwd: root });
};

function outputOf(scope: Construct): string {
  const stage = Stage.of(scope);
  if (!App.isApp(stage)) throw new Error('The functions are bundled in an app');
  return stage.outdir;
}
