import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { EmfOutput } from '@aws-lambda-powertools/metrics/types';

/** Every count the service publishes (CloudWatch embedded metric format, namespace from the environment). */
export type CountName =
  | 'SendSettled'
  | 'SendReplayed'
  | 'SendInDoubt'
  | 'SendThrottled'
  | 'SendQueueNotWoken'
  | 'WaitingSendAttempted'
  | 'ProviderEventRecorded'
  | 'ProviderEventIgnored'
  | 'ProviderEventNotMarked'
  | 'WebhookAttempted'
  | 'WebhookQueueNotWoken'
  | 'UsageRecordSkipped'
  | 'NoticeNotFiled'
  | 'StoredItemUnreadable'
  | 'attachments.denied.count';

/** Every duration the service publishes. */
export type DurationName =
  | 'ProviderEventLag'
  | 'WebhookOldestDueLateness'
  | 'SendOldestDueLateness';

/** Every share the service publishes, in percent. */
export type PercentName = 'SesQuotaUsed';

/**
 * A metric as CloudWatch reads it from a line of the log (embedded metric format), so publishing takes no call. The line
 * may be one that says the same to people: `request-log.ts`.
 */
export type Metric = EmfOutput;
type Dimensions = Readonly<Record<string, string>>;

let opened: Metrics | undefined;
/** Opened with the first metric, when the environment is set. Empty again after each: nothing of one is in the next. */
const openMetrics = (): Metrics => (opened ??= new Metrics());

/** One count with its dimensions. */
export function countOf(name: CountName, dimensions: Dimensions = {}): Metric {
  const metrics = openMetrics();
  metrics.addDimensions({ ...dimensions });
  metrics.addMetric(name, MetricUnit.Count, 1);
  return takenFrom(metrics);
}

/** One duration, in milliseconds. */
export function durationOf(name: DurationName, milliseconds: number): Metric {
  const metrics = openMetrics();
  metrics.addMetric(name, MetricUnit.Milliseconds, milliseconds);
  return takenFrom(metrics);
}

function takenFrom(metrics: Metrics): Metric {
  const taken = metrics.serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  return taken;
}

/**
 * Publishes one count with its dimensions in a line of its own, for where no line of the log says the same.
 *
 * @param properties appear in the line only: as dimensions, each value would be its own metric.
 */
export function publishCount(
  name: CountName,
  dimensions: Dimensions,
  properties: Readonly<Record<string, string>> = {},
): void {
  const metrics = openMetrics();
  metrics.addDimensions({ ...dimensions });
  for (const [property, value] of Object.entries(properties)) metrics.addMetadata(property, value);
  metrics.addMetric(name, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

/** Publishes one duration, in milliseconds, in a line of its own. */
export function publishDuration(name: DurationName, milliseconds: number): void {
  const metrics = openMetrics();
  metrics.addMetric(name, MetricUnit.Milliseconds, milliseconds);
  metrics.publishStoredMetrics();
}

/** Publishes a share in percent, in a line of its own. */
export function publishPercent(name: PercentName, percent: number): void {
  const metrics = openMetrics();
  metrics.addMetric(name, MetricUnit.Percent, percent);
  metrics.publishStoredMetrics();
}

/**
 * Publishes an email's attachment totals in one line. CloudWatch keeps each value of `attachments.total_size_mb`, so
 * its percentiles are the histogram. Dashboards depend on the names.
 */
export function publishAttachments(total: {
  readonly count: number;
  readonly totalBytes: number;
  readonly totalMB: number;
}): void {
  const metrics = openMetrics();
  metrics.addMetric('attachments.allowed.count', MetricUnit.Count, 1);
  metrics.addMetric('attachments.total_count', MetricUnit.Count, total.count);
  metrics.addMetric('attachments.total_bytes', MetricUnit.Bytes, total.totalBytes);
  metrics.addMetric('attachments.total_size_mb', MetricUnit.Megabytes, total.totalMB);
  metrics.publishStoredMetrics();
}
