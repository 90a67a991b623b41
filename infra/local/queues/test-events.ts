import { testEventSettings } from '../../constructs/pipelines/queue-settings.ts';
import { type HandlerLoader, resultOf } from '../gateway/functions.ts';
import { startQueueTrigger } from './queue-trigger.ts';
import { createQueue } from './queues.ts';

type TestEventOptions = {
  readonly queueUrl: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
};

export const createTestEventQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'test-events', testEventSettings);

export const startTestEvents = ({ queueUrl, loadHandler, report }: TestEventOptions) =>
  startQueueTrigger({
    queueUrl,
    invoke: (event) => resultOf(loadHandler, 'record-test-events', event),
    report: (fault) => report('test events', fault),
    concurrency: testEventSettings.concurrentBatches,
  });
