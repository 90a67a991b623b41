import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltFileName } from '#shared/endpoints/lambda';
import { declarationOf } from './gateway/functions.ts';

/** They follow from the source alone: a second twin in the same process need not build them again. */
const built = new Map<BuiltFileName, Promise<string>>();

/**
 * Stands for the files that the bundles of three functions have beside them. The folder that they are in goes with
 * the twin.
 */
export function openBuiltFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'email-service-'));
  return {
    folder,
    /** Builds the file that this function serves, if it serves one. */
    writeFor: async (functionName: string): Promise<void> => {
      const name = declarationOf(functionName)?.builtFile;
      if (name !== undefined) writeFileSync(join(folder, name), await textOf(name));
    },
    stop: async () => rmSync(folder, { recursive: true }),
  };
}

async function textOf(name: BuiltFileName): Promise<string> {
  const { buildFile } = await import('../built-files/build-files.ts');
  const text = built.get(name) ?? buildFile(name);
  built.set(name, text);
  return text;
}
