import { existsSync, renameSync, rmSync } from 'node:fs';

/** Moves a finished draft to where other processes look for it, all at once. If one of them was faster, its folder stays. */
export function publishFolder(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
