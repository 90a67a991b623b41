import { existsSync, readlinkSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';

// A folder that several processes need and one of them makes.

/** A link to the maker's process id: creating a link is atomic, so only one process succeeds. */
const makerOf = (folder: string): string => `${folder}.maker`;

/** Whether the caller is now the maker. If so, it calls `endMaking` when it's done or has failed. */
export function beginMaking(folder: string): boolean {
  try {
    symlinkSync(String(process.pid), makerOf(folder));
    return true;
  } catch {
    return false;
  }
}

/** Whether another process is still making it. If that process died, the caller makes the folder itself. */
export function isBeingMade(folder: string): boolean {
  try {
    process.kill(Number(readlinkSync(makerOf(folder))), 0);
    return true;
  } catch {
    return false;
  }
}

export function endMaking(folder: string): void {
  try {
    // `rmSync` of Node.js 23 and 24 leaves a link that leads nowhere.
    unlinkSync(makerOf(folder));
  } catch {
    // Another process found the maker dead, made the folder too, and removed the link.
  }
}

/**
 * Moves a finished draft to where other processes look for it, all at once. If one of them was faster, its folder
 * stays.
 */
export function publishFolder(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
