import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { grantReadStream, grantSendMessages, streamOf } from './function-access.ts';
import { ServiceAlarm } from './service-alarm.ts';
import type { ServiceFunction } from './service-function.ts';
import { serviceMetric } from './service-metric.ts';
import { usageFilters, usageStreamSettings } from './usage-stream-settings.ts';

export type UsageCountingProps = {
  readonly table: Table;
  readonly alarmTopic: ITopic;
};

/**
 * Counts usage from the table's own log of changes, its stream: whatever was committed is counted, once,
 * also when the process that committed it has died. No send waits for it.
 *
 * A batch that fails is given again until it succeeds, and holds up those behind it: 23 hours to mend
 * the cause without any loss.
 */
export class UsageCounting extends Construct {
  readonly #table: Table;
  readonly #alarmTopic: ITopic;
  readonly #givenUp: IQueue;

  constructor(scope: Construct, id: string, { table, alarmTopic }: UsageCountingProps) {
    super(scope, id);
    this.#table = table;
    this.#alarmTopic = alarmTopic;
    this.#givenUp = new DeadLetterQueue(this, 'GivenUp', {
      impact:
        'Usage figures are too low, for good: count-usage failed for 23 hours on the records that this queue names (shard and sequence numbers). Sends are not affected. Read the errors of count-usage; the sends and events themselves are still in the table, to count anew from.',
      alarmTopic,
    }).queue;
    Validations.of(this.#givenUp).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'It takes what the event source mapping gives up, as a dead-letter queue does, and nobody consumes it: its alarm is what comes next.',
    });
  }

  /** Lets the function count what happens from now on, and in the 24 hours before. */
  countBy({ lambda, role }: ServiceFunction): void {
    grantReadStream(role, this.#table);
    grantSendMessages(role, this.#givenUp);
    const { batchSize, batchingWindowSeconds } = usageStreamSettings;
    const { tumblingWindowSeconds, maxRecordAgeHours } = usageStreamSettings;
    new EventSourceMapping(this, 'Changes', {
      target: lambda,
      eventSourceArn: streamOf(this.#table),
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: usageFilters.map((pattern) => ({ pattern: JSON.stringify(pattern) })),
      batchSize,
      maxBatchingWindow: Duration.seconds(batchingWindowSeconds),
      tumblingWindow: Duration.seconds(tumblingWindowSeconds),
      // One batch of a shard at a time: the mark that tells repeats needs them in order.
      parallelizationFactor: 1,
      maxRecordAge: Duration.hours(maxRecordAgeHours),
      // Its permission is there already, without the queue's attributes that CDK's own would add.
      onFailure: { bind: () => ({ destination: this.#givenUp.queueArn }) },
    });
    this.#countingIsLate(lambda);
    this.#recordsAreSkipped();
  }

  #countingIsLate(lambda: ServiceFunction['lambda']): void {
    new ServiceAlarm(this, 'late', {
      metric: lambda.metric('IteratorAge', {
        statistic: 'Maximum',
        period: Duration.minutes(5),
      }),
      threshold: Duration.hours(1).toMilliseconds(),
      impact:
        'Usage figures are an hour behind, as count-usage fails or is throttled. Sends are not affected, and nothing is lost yet: 23 hours after a change its count is. Read the errors of count-usage.',
      alarmTopic: this.#alarmTopic,
    });
  }

  #recordsAreSkipped(): void {
    new ServiceAlarm(this, 'skipped', {
      metric: serviceMetric('UsageRecordSkipped', {
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      impact:
        'A send or event is missing in the usage figures: count-usage could not read its record and went on without it. The log names shard and sequence number; most likely an attribute was changed and shared/usage/stream-record.ts was not.',
      alarmTopic: this.#alarmTopic,
    });
  }
}
