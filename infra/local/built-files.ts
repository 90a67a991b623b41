import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltFileName } from '#shared/endpoints/lambda';
import { declarationOf } from './gateway/functions.ts';

/** They depend only on the source, so a second twin in the same process reuses them. */
const built = new Map<BuiltFileName, Promise<string>>();

/** The files that three functions' bundles have beside them. Their folder is deleted with the twin. */
export function openBuiltFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'email-service-'));
  return {
    folder,
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
