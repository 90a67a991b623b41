import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { findBundles } from './bundles-folder.ts';

/** The service in a process of its own, which can die and come back. */
export type RestartableService = {
  /** Where it is reached now; a restart moves it. */
  url(): string;
  isRunning(): boolean;
  /** SIGKILL: no handler runs any further, no connection is closed in good order. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Puts its clock ahead of the machine's, by so much in all; a restart keeps it there. */
  putClockAhead(milliseconds: number): Promise<void>;
};

/** Starts the service, with these variables on top of this process's own. */
export async function startRestartableService(
  variables: Readonly<Record<string, string>>,
): Promise<RestartableService> {
  let aheadMs = 0;
  let current: ServiceProcess | undefined = await startProcess(variables);
  const kill = async () => {
    await current?.kill();
    current = undefined;
  };
  return {
    url: () => {
      if (current === undefined) throw new Error('The service was killed and not started again');
      return current.url;
    },
    isRunning: () => current !== undefined,
    kill,
    restart: async () => {
      await kill();
      current = await startProcess({ ...variables, CLOCK_AHEAD_MS: String(aheadMs) });
    },
    putClockAhead: async (milliseconds) => {
      aheadMs = milliseconds;
      await current?.putClockAhead(milliseconds);
    },
  };
}

type ServiceProcess = Pick<RestartableService, 'kill' | 'putClockAhead'> & { readonly url: string };

const readyMessage = z.object({ url: z.url() });

async function startProcess(variables: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const child = fork(join(await findBundles(), 'gateway-process.mjs'), {
    env: { ...process.env, ...variables },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const endedEarly = exited.then(([code]) => {
    throw new Error(`The service ended with code ${code} before it was ready`);
  });
  const [message]: unknown[] = await Promise.race([once(child, 'message'), endedEarly]);
  return {
    url: readyMessage.parse(message).url,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    putClockAhead: async (milliseconds) => {
      const done = once(child, 'message');
      child.send(milliseconds);
      await done;
    },
  };
}
