import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type * as z from 'zod';

/** A process of its own, so that what it does is not measured along with what others do. */
export type Child<Ready> = {
  readonly ready: Ready;
  readonly pid: number | undefined;
  ask<Schema extends z.ZodType>(job: object, schema: Schema): Promise<z.output<Schema>>;
  stop(): Promise<void>;
};

/**
 * Starts a child process and waits until it is ready. Its log goes nowhere, its errors to stderr.
 *
 * @param file beside this one, or an absolute path; calls `serveParent`.
 */
export async function startChild<Schema extends z.ZodType>(
  file: string,
  settings: object,
  readySchema: Schema,
): Promise<Child<z.output<Schema>>> {
  const child = fork(resolve(import.meta.dirname, file), {
    // For a profile: BENCH_NODE_OPTIONS='--cpu-prof --cpu-prof-dir=/tmp/profiles'.
    execArgv: process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ask = async <Answer extends z.ZodType>(job: object, schema: Answer) => {
    child.send(job);
    return schema.parse(await nextMessage(child, file));
  };
  const { pid } = child;
  return { ready: await ask(settings, readySchema), pid, ask, stop: () => stop(child) };
}

/** A child is asked one thing at a time, so the next message is the answer. */
async function nextMessage(child: ChildProcess, file: string): Promise<unknown> {
  const answered = new AbortController();
  const message = once(child, 'message', { signal: answered.signal }).then(([value]) => value);
  const ended = once(child, 'exit', { signal: answered.signal }).then(() => {
    throw new Error(`${file} ended`);
  });
  ended.catch(() => {});
  try {
    return await Promise.race([message, ended]);
  } finally {
    message.catch(() => {});
    answered.abort();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
