import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';

/** Where the bundles of all functions are, and the files that three of them serve. The first who asks waits. */
export async function findBundles(): Promise<string> {
  const answer = await fetch(inject('bundlesUrl'));
  const folder = await answer.text();
  if (!answer.ok) throw new Error(folder);
  return folder;
}

/** A copy for the calling file: what another file has loaded in this process knows the environment of that file. */
export async function copyBundles(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-functions-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  cpSync(await findBundles(), folder, { recursive: true });
  return folder;
}
