import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { EmfOutput } from '@aws-lambda-powertools/metrics/types';

/** CloudWatch embedded metric format, namespace from the environment. */
export type CountName =
  | 'KeyRefused'
  | 'SendSettled'
  | 'SendReplayed'
  | 'SendInDoubt'
  | 'SendThrottled'
  | 'SendRefused'
  | 'SendQueueNotWoken'
  | 'BatchEmailFailed'
  | 'SendersFaultAnswered'
  | 'WaitingSendAttempted'
  | 'ProviderEventIgnored'
  | 'ProviderEventNotMarked'
  | 'WebhookAttempted'
  | 'WebhookQueueNotWoken'
  | 'UsageRecordSkipped'
  | 'UsageNotWatched'
  | 'NoticeNotFiled'
  | 'SchemaMismatch'
  | 'attachments.denied.count';

export type DurationName =
  | 'ProviderEventLag'
  | 'WebhookOldestDueLateness'
  | 'SendOldestDueLateness';

export type PercentName = 'SesQuotaUsed' | 'OrganizationQuotaUsed';

/** CloudWatch reads it from a line of the log, so publishing takes no call. */
export type Metric = EmfOutput;
type Dimensions = Readonly<Record<string, string>>;

let opened: Metrics | undefined;
/** Opened with the first metric, when the environment is set. Emptied after each. */
const sharedMetrics = (): Metrics => (opened ??= new Metrics());

export function countOf(name: CountName, dimensions: Dimensions = {}): Metric {
  const metrics = sharedMetrics();
  metrics.addDimensions({ ...dimensions });
  metrics.addMetric(name, MetricUnit.Count, 1);
  return takenFrom(metrics);
}

export function durationOf(name: DurationName, milliseconds: number): Metric {
  const metrics = sharedMetrics();
  metrics.addMetric(name, MetricUnit.Milliseconds, milliseconds);
  return takenFrom(metrics);
}

export function percentOf(name: PercentName, percent: number): Metric {
  const metrics = sharedMetrics();
  metrics.addMetric(name, MetricUnit.Percent, percent);
  return takenFrom(metrics);
}

function takenFrom(metrics: Metrics): Metric {
  const taken = metrics.serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  return taken;
}

/**
 * In a separate line, for cases where no other line of the log says the same.
 *
 * @param properties appear in the line only: as dimensions, each value would be its own metric.
 */
export function publishCount(
  name: CountName,
  dimensions: Dimensions,
  properties: Readonly<Record<string, string>> = {},
): void {
  const metrics = sharedMetrics();
  metrics.addDimensions({ ...dimensions });
  for (const [property, value] of Object.entries(properties)) metrics.addMetadata(property, value);
  metrics.addMetric(name, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

export function publishDuration(name: DurationName, milliseconds: number): void {
  const metrics = sharedMetrics();
  metrics.addMetric(name, MetricUnit.Milliseconds, milliseconds);
  metrics.publishStoredMetrics();
}

export function publishPercent(name: PercentName, percent: number): void {
  const metrics = sharedMetrics();
  metrics.addMetric(name, MetricUnit.Percent, percent);
  metrics.publishStoredMetrics();
}

/**
 * In one line. CloudWatch keeps each value of `attachments.total_size_mb`, so its percentiles are the histogram.
 * Dashboards depend on the names.
 */
export function publishAttachments(total: {
  readonly count: number;
  readonly totalBytes: number;
  readonly totalMB: number;
}): void {
  const metrics = sharedMetrics();
  metrics.addMetric('attachments.allowed.count', MetricUnit.Count, 1);
  metrics.addMetric('attachments.total_count', MetricUnit.Count, total.count);
  metrics.addMetric('attachments.total_bytes', MetricUnit.Bytes, total.totalBytes);
  metrics.addMetric('attachments.total_size_mb', MetricUnit.Megabytes, total.totalMB);
  metrics.publishStoredMetrics();
}
