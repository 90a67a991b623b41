import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const packages = ['ministack==1.5.33', 'cfn-lint==1.58.0'];
const environment = resolve('.local', packages.join('+'));

/** The tool without which the engine can't run here. */
export const missingTool = (
  [
    ['python3', '--version'],
    ['openssl', 'version'],
  ] as const
).find(([tool, word]) => spawnSync(tool, [word]).status !== 0)?.[0];

/** Installs, once, what is pinned here into a Python environment of its own. @returns the path of a program of it. */
export function pythonProgram(name: 'python' | 'cfn-lint'): string {
  const program = join(environment, 'bin', name);
  if (!existsSync(join(environment, 'bin/cfn-lint'))) install();
  return program;
}

function install(): void {
  rmSync(environment, { recursive: true, force: true });
  for (const [command, ...words] of [
    ['python3', '-m', 'venv', environment],
    [join(environment, 'bin/pip'), 'install', '--quiet', '--no-compile', ...packages],
  ] as const) {
    const { status, stderr } = spawnSync(command, words);
    if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
  }
}
