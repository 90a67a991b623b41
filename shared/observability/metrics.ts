import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

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

let opened: Metrics | undefined;
/** Opened with the first line, when the environment is set. Empty again after each: nothing of one is in the next. */
const openMetrics = (): Metrics => (opened ??= new Metrics());

/**
 * Publishes one count with its dimensions immediately: one log line, no call.
 *
 * @param properties appear in the line only: as dimensions, each value would be its own metric.
 */
export function publishCount(
  name: CountName,
  dimensions: Readonly<Record<string, string>>,
  properties: Readonly<Record<string, string>> = {},
): void {
  const metrics = openMetrics();
  metrics.addDimensions({ ...dimensions });
  for (const [property, value] of Object.entries(properties)) metrics.addMetadata(property, value);
  metrics.addMetric(name, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

/** Every duration the service publishes. */
export type DurationName =
  | 'ProviderEventLag'
  | 'WebhookOldestDueLateness'
  | 'SendOldestDueLateness';

/** Publishes one duration, in milliseconds, at once. */
export function publishDuration(name: DurationName, milliseconds: number): void {
  const metrics = openMetrics();
  metrics.addMetric(name, MetricUnit.Milliseconds, milliseconds);
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
