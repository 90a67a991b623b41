import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Every count the service publishes (CloudWatch embedded metric format, namespace from the environment). */
export type CountName =
  | 'SendSettled'
  | 'SendReplayed'
  | 'ProviderEventRecorded'
  | 'ProviderEventIgnored'
  | 'WebhookAttempted';

const metrics = new Metrics();

/** Publishes one count with its dimensions at once: one line of log, no call. */
export function publishCount(name: CountName, dimensions: Readonly<Record<string, string>>): void {
  const metric = metrics.singleMetric();
  metric.addDimensions({ ...dimensions });
  metric.addMetric(name, MetricUnit.Count, 1);
}

/** Every duration the service publishes. */
export type DurationName = 'WebhookOldestDueLateness';

/** Publishes one duration, in milliseconds, at once. */
export function publishDuration(name: DurationName, milliseconds: number): void {
  metrics.singleMetric().addMetric(name, MetricUnit.Milliseconds, milliseconds);
}
