import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionBundles } from '../constructs/function-bundles.ts';
import { unpackFolder } from './archive.ts';

export const archiveName = 'functions.br';

/**
 * Replaces `infra/constructs/function-bundles.ts` in the package: the bundles exist already, so it needs no esbuild.
 */
export function bundleFunctions(scope: Construct): FunctionBundles {
  // `cdk destroy` and the like deploy no code.
  if (!Stack.of(scope).bundlingRequired) {
    const code = Code.fromAsset(join(import.meta.dirname, 'manage'));
    return { codeOf: () => code, remove: () => {} };
  }
  const folder = unpacked();
  return { codeOf: (name) => Code.fromAsset(join(folder, name)), remove: () => {} };
}

let known: string | undefined;

function unpacked(): string {
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'transactional-email-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  unpackFolder(readFileSync(join(import.meta.dirname, archiveName)), folder);
  known = folder;
  return folder;
}
