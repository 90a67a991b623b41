import { sendQueueSettings } from '../../constructs/pipelines/queue-settings.ts';
import { type HandlerLoader, resultOf } from '../gateway/functions.ts';
import { startScheduledRuns } from '../schedule.ts';
import { startQueueTrigger } from './queue-trigger.ts';
import { createQueue } from './queues.ts';

type SendQueueOptions = {
  readonly queueUrl: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
};

export const createSendQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'sends', sendQueueSettings);

export function startSendQueue(options: SendQueueOptions): { stop(): Promise<void> } {
  const { queueUrl, loadHandler, report } = options;
  const trigger = startQueueTrigger({
    queueUrl,
    batchSize: sendQueueSettings.batchSize,
    invoke: async (event) => {
      try {
        return await resultOf(loadHandler, 'send-queued', event);
      } catch (fault) {
        report('send-queued', fault);
        throw fault;
      }
    },
    report: (fault) => report('send queue', fault),
  });
  const schedule = startScheduledRuns('run-send-queue', loadHandler, report);
  return {
    stop: async () => {
      await Promise.all([trigger.stop(), schedule.stop()]);
    },
  };
}
