import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../service-function.ts';
import { testEventSettings } from './queue-settings.ts';
import { createWorkQueue, invokeFrom } from './work-queue.ts';

/** Separate, so that real events never wait for those of test emails. */
export class TestEvents extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { alarmTopic }: { readonly alarmTopic: ITopic }) {
    super(scope, id);
    this.queue = createWorkQueue(this, 'Queue', testEventSettings, {
      impact:
        "Test emails lack events in their timelines and webhooks, because record-test-events failed; real emails aren't affected.",
      firstStep:
        'Read the errors of record-test-events and fix the cause, then redrive or purge this queue.',
      alarmTopic,
    });
  }

  deliverTo(recordTestEvents: ServiceFunction): void {
    invokeFrom(this.queue, this, 'Recording', recordTestEvents, {
      batchSize: testEventSettings.batchSize,
      maxConcurrency: testEventSettings.concurrentBatches,
    });
  }
}
