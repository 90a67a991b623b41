import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type * as z from 'zod';

/** A process of its own, so that its work is not measured along with that of others. */
export type Child<Ready> = {
  readonly ready: Ready;
  readonly pid: number | undefined;
  ask<Schema extends z.ZodType>(job: object, schema: Schema): Promise<z.output<Schema>>;
  stop(): Promise<void>;
};

/**
 * Starts a child process and waits until it is ready. Its log is dropped, its errors go to stderr.
 *
 * @param file beside this one; calls `serveParent`.
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

/** What a child process does once it is open. */
type ChildService = {
  /** Answered to the message that opened it. */
  readonly ready: unknown;
  readonly run?: (job: unknown) => Promise<unknown>;
};

/** The child's side of `startChild`: its first message opens it, each later one is a job. */
export function serveParent(open: (settings: unknown) => Promise<ChildService>): void {
  let service: ChildService | undefined;

  const answer = async (message: unknown): Promise<unknown> => {
    if (service !== undefined) return service.run?.(message);
    service = await open(message);
    return service.ready;
  };
  process.on('message', (message) => {
    answer(message).then(
      (value) => process.send?.(value ?? null),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  // The parent is gone; what this process started ends with it.
  process.once('disconnect', () => process.exit());
}

type Part = { stop(): Promise<void> };

/** Registers a part to be stopped at the end, and returns it. */
export type Keep = <Kept extends Part>(part: Kept) => Kept;

/** Runs what needs processes and servers of its own. They stop when it ends or fails, the last one first. */
export async function withParts<Result>(run: (keep: Keep) => Promise<Result>): Promise<Result> {
  const parts: Part[] = [];
  try {
    return await run((part) => {
      parts.push(part);
      return part;
    });
  } finally {
    for (const part of parts.reverse()) await part.stop();
  }
}
