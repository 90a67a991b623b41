import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import type { RunResult } from '#shared/webhook-deliveries/run-due-deliveries';
import { findBundles } from './bundles-folder.ts';

/** The functions that deliver webhooks, in a separate process. */
export type WebhookDeliverer = {
  /** Delivers the queue's messages of these deliveries in one batch; returns the ids that go back. */
  deliver(deliveries: readonly DeliveryReference[]): Promise<readonly string[]>;
  /** A scheduled run. */
  run(): Promise<RunResult>;
  /** Kills the process by SIGKILL. Calls that are under way reject. */
  kill(): Promise<void>;
};

const answerSchema = z.object({
  id: z.int(),
  outcome: z.union([
    z.object({ kind: z.literal('returned'), result: z.unknown() }),
    z.object({ kind: z.literal('threw'), error: z.unknown() }),
  ]),
});
type Answer = z.output<typeof answerSchema>;
const batchSchema = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })),
});
const runSchema = z.object({
  processed: z.int(),
  delivered: z.int(),
  rescheduled: z.int(),
  failed: z.int(),
});

/** Starts the process. It has these variables on top of this process's own, and a clock that is ahead. */
export async function startWebhookDeliverer(
  variables: Readonly<Record<string, string>>,
  aheadMs: number,
): Promise<WebhookDeliverer> {
  const child = fork(join(await findBundles(), 'deliverer-process.mjs'), {
    env: { ...process.env, ...variables, CLOCK_AHEAD_MS: String(aheadMs) },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const invoke = invokerOf(child, exited);
  await Promise.race([once(child, 'message'), failWhen(exited)]);
  return {
    deliver: async (deliveries) => {
      const Records = deliveries.map(({ id, webhookId }, index) => ({
        messageId: `${index}`,
        body: JSON.stringify({ id, webhookId }),
      }));
      const outcome = await invoke('deliver-webhooks', { Records });
      if (outcome.kind === 'threw') return Records.map(({ messageId }) => messageId);
      const { batchItemFailures } = batchSchema.parse(outcome.result);
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },
    run: async () => {
      const outcome = await invoke('retry-due-webhooks', { scheduledRun: true });
      if (outcome.kind === 'threw') throw new Error('retry-due-webhooks threw');
      return runSchema.parse(outcome.result);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function invokerOf(child: ChildProcess, exited: Promise<unknown>) {
  let invocations = 0;
  return async (functionName: string, event: object): Promise<Answer['outcome']> => {
    invocations += 1;
    const id = invocations;
    const { promise: answered, resolve, reject } = Promise.withResolvers<Answer['outcome']>();
    const receive = (message: unknown) => {
      const { success, data } = answerSchema.safeParse(message);
      if (!success) reject(new Error(`${functionName} failed: ${JSON.stringify(message)}`));
      else if (data.id === id) resolve(data.outcome);
    };
    child.on('message', receive);
    child.send({ id, functionName, event });
    try {
      return await Promise.race([answered, failWhen(exited)]);
    } finally {
      child.off('message', receive);
    }
  };
}

const failWhen = (exited: Promise<unknown>): Promise<never> =>
  exited.then(() => {
    throw new Error('The deliverer died');
  });
