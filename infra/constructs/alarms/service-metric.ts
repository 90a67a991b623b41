import { Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { CountName, DurationName, PercentName } from '#shared/observability/metrics';

/** For the functions' own metrics (CloudWatch embedded metric format). */
export const metricsNamespace = 'TransactionalEmail';

/**
 * The stack's name, a dimension of each of these metrics and a field in each log line, so that two deployments in one
 * account and Region don't share metrics, and neither silences the other's alarms.
 */
export function serviceNameOf(scope: Construct): string {
  const stack = Stack.of(scope);
  return stack.nestedStackParent ? serviceNameOf(stack.nestedStackParent) : stack.stackName;
}

type ServiceMetricOptions = {
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Minimum' | 'Maximum' | 'SampleCount';
  readonly period: Duration;
};

/** See `shared/observability/metrics.ts`. */
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

/** A fraction of everything that the account sends in this Region, not only of this stack's emails. */
export const reputationMetric = (
  metricName: 'Reputation.BounceRate' | 'Reputation.ComplaintRate',
): Metric =>
  new Metric({
    namespace: 'AWS/SES',
    metricName,
    // As in SES's guide, "Creating reputation monitoring alarms using CloudWatch".
    statistic: 'Average',
    period: Duration.hours(1),
  });
