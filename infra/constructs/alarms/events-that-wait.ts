import type { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

type EventsThatWaitOptions = {
  readonly label: string;
  readonly statistic: 'Minimum' | 'Maximum';
  readonly period: Duration;
};

/**
 * Messages in the retry queue of provider events. Failing messages are mostly hidden (in flight) between retries. SQS
 * reports hidden messages only while there are some, visible ones always (SQS guide, "Available CloudWatch metrics for
 * Amazon SQS").
 */
export const eventsThatWait = (
  retryQueue: IQueue,
  { label, statistic, period }: EventsThatWaitOptions,
): MathExpression =>
  new MathExpression({
    label,
    expression: 'waiting + FILL(hidden, 0)',
    usingMetrics: {
      waiting: retryQueue.metricApproximateNumberOfMessagesVisible({ statistic, period }),
      hidden: retryQueue.metricApproximateNumberOfMessagesNotVisible({ statistic, period }),
    },
    period,
  });
