import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';

export type ServiceProcess = {
  readonly url: string;
  /** SIGKILL: no handler runs any further, no connection is closed in good order. */
  kill(): Promise<void>;
};

const readyMessage = z.object({ url: z.url() });

/** Starts the service in a child process, with these variables on top of this process's own. */
export async function startServiceProcess(
  variables: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const child = fork(new URL('./gateway-process.ts', import.meta.url), {
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
  };
}
