import { spawn } from 'node:child_process';

// Only words that the shell has built in: one that it did not find would not wait, but kill at once.
const waitThenKill = 'while read -r _; do :; done; kill -9 "$0"';

/**
 * Kills a child process of ours when this process ends, also when it is killed hard and can do
 * nothing itself: the guard reads a pipe that the kernel closes with this process. Without a POSIX
 * shell (Windows) only an orderly end is covered.
 *
 * @returns removes the guard; to be called once the child is gone, since its id may be reused.
 */
export function guardAgainstOrphan(childPid: number): () => void {
  const killChild = () => {
    try {
      process.kill(childPid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
  process.once('exit', killChild);
  const guard =
    process.platform === 'win32'
      ? undefined
      : spawn('/bin/sh', ['-c', waitThenKill, String(childPid)], {
          stdio: ['pipe', 'ignore', 'ignore'],
          // A group of its own: Ctrl-C in the terminal must not end the guard first.
          detached: true,
        });
  return () => {
    process.removeListener('exit', killChild);
    guard?.kill('SIGKILL');
  };
}
