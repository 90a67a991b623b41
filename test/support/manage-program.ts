import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { StackDescription } from '../../infra/local/stack.ts';
import { surroundingsOfProcess } from '../../infra/manage/surroundings.ts';
import { bareEnvironment } from './bare-environment.ts';
import { manageWords, type Printed } from './manage-builder.ts';

const program = resolve('infra/manage/main.ts');

type Environment = Readonly<Record<string, string>>;

/** The command line before a running twin. */
export function openManageProgram(twin: StackDescription) {
  const twinFile = JSON.stringify(twin);
  const folder = mkdtempSync(join(tmpdir(), 'manage-'));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/stack.json'), twinFile);

  const { readFile, listFolder, writeFile, removeFile } = surroundingsOfProcess();
  const folders = { readFile, listFolder, writeFile, removeFile };

  /** Runs a command to its end, in this process: a program of its own takes a second to start. */
  const manage = (
    args: readonly string[],
    environment: Environment = {},
    input = '',
  ): Promise<Printed> =>
    manageWords(args, {
      ...folders,
      environment,
      fetch,
      readInput: async () => input,
      now: Date.now,
      sleep: (ms) => setTimeout(ms),
      readCheckoutFile: () => twinFile,
      untilInterrupted: () => Promise.withResolvers<void>().promise,
    });
  return {
    manage,
    /** What a command prints with `--json`. It must succeed. */
    json: async (args: readonly string[], environment: Environment = {}): Promise<unknown> => {
      const { exitCode, output, words } = await manage([...args, '--json'], environment);
      if (exitCode !== 0)
        throw new Error(`manage ${args.join(' ')} ended with ${exitCode}: ${words}`);
      return JSON.parse(output);
    },
    /** Starts the program itself, in a folder of its own with the file of the twin. */
    start: (args: readonly string[]) => {
      return spawn(process.execPath, [program, ...args], { cwd: folder, env: bareEnvironment() });
    },
    stop: () => rmSync(folder, { recursive: true }),
  };
}

/** How a program ends, and all that it printed. */
export async function ended(child: ChildProcess) {
  if (child.stdout === null || child.stderr === null) throw new Error('The program has no output');
  const [output, words, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { exitCode, output, words };
}
