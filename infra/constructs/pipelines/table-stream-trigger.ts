import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type AlarmText, ServiceAlarm } from '../alarms/service-alarm.ts';
import { grantReadStream, grantSendMessages, streamOf } from '../function-access.ts';
import type { ServiceFunction } from '../service-function.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { maxRecordAgeHours, type TableStreamSettings } from './table-stream-settings.ts';

type TableStreamTriggerProps = {
  readonly table: Table;
  readonly alarmTopic: ITopic;
  readonly settings: TableStreamSettings;
  /** Rings when the function is an hour behind. */
  readonly late: AlarmText;
  /** Rings when the function gave up on records. */
  readonly givenUp: AlarmText;
};

/**
 * Hands the table's stream to a function: every committed change, even if the process that wrote it died right after.
 *
 * A failed batch is retried until it succeeds, and holds up the batches behind it. That leaves `maxRecordAgeHours`
 * to fix the cause without losing anything.
 */
export class TableStreamTrigger extends Construct {
  readonly #props: TableStreamTriggerProps;
  readonly #givenUp: IQueue;

  constructor(scope: Construct, id: string, props: TableStreamTriggerProps) {
    super(scope, id);
    this.#props = props;
    const { givenUp, alarmTopic } = props;
    this.#givenUp = new DeadLetterQueue(this, 'GivenUp', { ...givenUp, alarmTopic }).queue;
    Validations.of(this.#givenUp).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'It serves as a dead-letter queue for records that the event source mapping gives up on: nothing consumes it, and an alarm rings when anything arrives.',
    });
  }

  /** New records and those of the last 24 hours. */
  invoke({ lambda, invoked, role }: ServiceFunction): void {
    const { table, settings, alarmTopic, late } = this.#props;
    const { batchSize, batchingWindowSeconds, tumblingWindowSeconds, filters } = settings;
    const { splitsFailedBatches = false } = settings;
    grantReadStream(role, table);
    grantSendMessages(role, this.#givenUp);
    new EventSourceMapping(this, 'Changes', {
      target: invoked,
      eventSourceArn: streamOf(table),
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: filters.map((pattern) => ({ pattern: JSON.stringify(pattern) })),
      batchSize,
      maxBatchingWindow: Duration.seconds(batchingWindowSeconds),
      ...(tumblingWindowSeconds !== undefined && {
        tumblingWindow: Duration.seconds(tumblingWindowSeconds),
      }),
      // One batch of a shard at a time, as some functions recognise repeats by the order of the records.
      parallelizationFactor: 1,
      bisectBatchOnError: splitsFailedBatches,
      maxRecordAge: Duration.hours(maxRecordAgeHours),
      // The role has the permission, without access to the queue's attributes that CDK's grant would add.
      onFailure: { bind: () => ({ destination: this.#givenUp.queueArn }) },
    });
    new ServiceAlarm(this, 'late', {
      metric: lambda.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(5) }),
      threshold: Duration.hours(1).toMilliseconds(),
      ...late,
      runbook: 'work-in-the-background-fails',
      alarmTopic,
    });
  }
}
