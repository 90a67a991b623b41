import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { bundling } from './bundling.ts';
import type { FunctionDeclaration } from './function-catalogue.ts';

export type FunctionBundles = {
  codeOf(functionName: string): Code;
  /** Removes the files. Each function has staged a copy of its own as its asset. */
  remove(): void;
};

const root = join(import.meta.dirname, '../..');

/**
 * Bundles the functions, one file each, in one run of esbuild. CDK's `NodejsFunction` starts a process for
 * each function, which takes several times as long.
 */
export function bundleFunctions(
  scope: Construct,
  declarations: readonly FunctionDeclaration[],
): FunctionBundles {
  // Tests look at the template only, and CDK's own commands may not need the code either.
  if (!Stack.of(scope).bundlingRequired) {
    return { codeOf: (name) => Code.fromAsset(join(root, 'functions', name)), remove: () => {} };
  }
  const outdir = mkdtempSync(join(outputOf(scope), 'bundles-'));
  buildSync({
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
  });
  writeBuiltFiles(
    declarations.flatMap(({ name, builtFile }) => (builtFile ? join(outdir, name, builtFile) : [])),
  );
  return {
    codeOf: (name) => Code.fromAsset(join(outdir, name)),
    remove: () => rmSync(outdir, { recursive: true }),
  };
}

/** In a process of its own, as CDK builds its tree without waiting for anything. */
const writeBuiltFiles = (files: readonly string[]): void => {
  execFileSync(process.execPath, ['infra/built-files/write.ts', ...files], { cwd: root });
};

/** The folder that CDK writes to. */
function outputOf(scope: Construct): string {
  const stage = Stage.of(scope);
  if (!App.isApp(stage)) throw new Error('The functions are bundled in an app');
  return stage.outdir;
}
