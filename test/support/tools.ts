import { spawnSync } from 'node:child_process';

/**
 * Whether a tool that is no part of this project is on this machine. Without it, what needs it is skipped, which the
 * output says. In CI it must be there.
 */
export function hasTool(name: 'openssl' | 'python3', versionOption = '--version'): boolean {
  if (spawnSync(name, [versionOption]).status === 0) return true;
  if (process.env['CI']) throw new Error(`${name} isn't on this machine. Install it in .ci/run.`);
  console.warn(`SKIPPED: what needs ${name}, which isn't on this machine`);
  return false;
}
