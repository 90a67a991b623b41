import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltFiles, buildFiles } from '../built-files/build-files.ts';

/** They follow from the source alone: a second twin in the same process need not build them again. */
let built: Promise<BuiltFiles> | undefined;

/** Writes what the bundles of three functions have beside them into a folder, which goes with the twin. */
export async function writeBuiltFiles(): Promise<{
  readonly folder: string;
  stop(): Promise<void>;
}> {
  built ??= buildFiles();
  const folder = mkdtempSync(join(tmpdir(), 'email-service-'));
  for (const [name, text] of Object.entries(await built)) {
    writeFileSync(join(folder, name), text);
  }
  return { folder, stop: async () => rmSync(folder, { recursive: true }) };
}
