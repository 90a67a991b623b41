import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { bareEnvironment } from './bare-environment.ts';

const listeningSchema = z.object({ event: z.literal('listening'), port: z.number() });

const { scripts } = z
  .object({ scripts: z.object({ smtp: z.string().startsWith('node ') }) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
/** What `npm run smtp` starts. */
export const smtpProgram = scripts.smtp.replace('node ', '');

const running: ChildProcess[] = [];

/** Ends all that were started. */
export const endSmtp = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

/** `npm run smtp`, on a free port, until `endSmtp`. */
export async function startSmtp(args: readonly string[]) {
  const child = spawn(process.execPath, [smtpProgram, '--port', '0', ...args], {
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const lines: string[] = [];
  const { promise, resolve: ready, reject } = Promise.withResolvers<number>();
  child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${lines.join('\n')}`)));
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    const listening = listeningSchema.safeParse(JSON.parse(line));
    if (listening.success) ready(listening.data.port);
  });
  return { port: await promise, log: () => lines.join('\n'), stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<unknown> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [exitCode]: unknown[] = await exited;
  return exitCode;
}
