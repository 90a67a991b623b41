import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltFileName } from '../built-files/build-files.ts';
import { declarationOf, type HandlerLoader } from './function-invocation.ts';

/** They follow from the source alone: a second twin in the same process need not build them again. */
const built = new Map<BuiltFileName, Promise<string>>();

/**
 * Stands for the files that the bundles of three functions have beside them. Each is built when its function is
 * loaded, into a folder that goes with the twin.
 */
export function openBuiltFiles(loadHandler: HandlerLoader) {
  const folder = mkdtempSync(join(tmpdir(), 'email-service-'));
  return {
    folder,
    loadHandler: async (functionName: string) => {
      const name = declarationOf(functionName)?.builtFile;
      if (name !== undefined) writeFileSync(join(folder, name), await textOf(name));
      return loadHandler(functionName);
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
