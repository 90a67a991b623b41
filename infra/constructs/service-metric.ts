import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';

/** What the functions publish their own metrics under (CloudWatch embedded metric format). */
export const metricsNamespace = 'TransactionalEmail';
/** A dimension of each of these metrics, and in each line of log. */
export const serviceName = 'transactional-email';

export type ServiceMetricOptions = {
  /** Beside the service. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Minimum' | 'Maximum' | 'SampleCount';
  readonly period: Duration;
};

/** A metric that the functions publish: see `shared/observability/metrics.ts`. */
export const serviceMetric = (metricName: string, options: ServiceMetricOptions): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { service: serviceName, ...options.dimensions },
    statistic: options.statistic,
    period: options.period,
  });
