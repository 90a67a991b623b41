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
        "Test emails lack events in their timelines and webhooks: record-test-events couldn't record them. Real emails aren't affected. Read its errors and fix the cause. Then redrive this queue, or purge it.",
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
