import { Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { CountName, DurationName, PercentName } from '#shared/observability/metrics';

/** What the functions publish their own metrics under (CloudWatch embedded metric format). */
export const metricsNamespace = 'TransactionalEmail';

/**
 * A dimension of each of these metrics, and in each line of log: the name of the deployment's stack. So two of them in
 * one account and Region don't share metrics, and neither keeps the other's alarms silent.
 */
export function serviceNameOf(scope: Construct): string {
  const stack = Stack.of(scope);
  return stack.nestedStackParent ? serviceNameOf(stack.nestedStackParent) : stack.stackName;
}

export type ServiceMetricOptions = {
  /** Beside the service. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Minimum' | 'Maximum' | 'SampleCount';
  readonly period: Duration;
};

/** A metric that the functions publish: see `shared/observability/metrics.ts`. */
export const serviceMetric = (
  scope: Construct,
  metricName: CountName | DurationName | PercentName,
  options: ServiceMetricOptions,
): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { service: serviceNameOf(scope), ...options.dimensions },
    statistic: options.statistic,
    period: options.period,
  });

/** What SES judges the account by, as a fraction: of all that the account sends in this Region, not of one stack. */
export const reputationMetric = (
  metricName: 'Reputation.BounceRate' | 'Reputation.ComplaintRate',
): Metric =>
  new Metric({
    namespace: 'AWS/SES',
    metricName,
    // As SES's guide has it: "Creating reputation monitoring alarms using CloudWatch".
    statistic: 'Average',
    period: Duration.hours(1),
  });
