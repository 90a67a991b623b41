import { existsSync, readlinkSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';

// A folder that several processes need, and one of them makes.

/** Names who makes it: a link is made and filled in one step, and by one process. */
const makerOf = (folder: string): string => `${folder}.maker`;

/** Whether the caller makes it now. Then it says when it has, or has failed: `endMaking`. */
export function beginMaking(folder: string): boolean {
  try {
    symlinkSync(String(process.pid), makerOf(folder));
    return true;
  } catch {
    return false;
  }
}

/** Whether another process is making it. If that process died, the caller makes its own folder. */
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
    // Another process that found its maker dead has made the folder, too.
  }
}

/** Moves a finished draft to where other processes look for it, all at once. If one of them was faster, its folder stays. */
export function publishFolder(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
