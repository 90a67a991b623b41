import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { DurationName } from '#shared/observability/metrics';
import { type AlarmText, type RunbookSection, ServiceAlarm } from './service-alarm.ts';
import { serviceMetric } from './service-metric.ts';

type LatenessAlarmsProps = {
  /** Every run publishes it, so a missing value means that no run succeeded. */
  readonly lateness: DurationName;
  readonly runBy: 'run-send-queue' | 'retry-due-webhooks';
  readonly late: AlarmText & { readonly id: string; readonly threshold: Duration };
  /** What waits when no run has succeeded for five minutes. */
  readonly notRun: string;
  readonly runbook: RunbookSection;
  readonly alarmTopic: ITopic;
};

/** For a queue in the table that a schedule processes every minute. */
export function addLatenessAlarms(
  scope: Construct,
  { lateness, runBy, late, notRun, runbook, alarmTopic }: LatenessAlarmsProps,
): void {
  new ServiceAlarm(scope, late.id, {
    // The minimum: if only one run finds something late, the next one catches up.
    metric: serviceMetric(scope, lateness, { statistic: 'Minimum', period: late.threshold }),
    threshold: late.threshold.toMilliseconds(),
    impact: late.impact,
    firstStep: late.firstStep,
    runbook,
    alarmTopic,
  });
  new ServiceAlarm(scope, 'queue-not-run', {
    metric: serviceMetric(scope, lateness, {
      statistic: 'SampleCount',
      period: Duration.minutes(5),
    }),
    minimum: 1,
    impact: `${runBy} hasn't run successfully for 5 minutes: ${notRun}. Nothing is lost.`,
    firstStep: `Read its errors, and check that its schedule is enabled. After a first deployment, wait for the first run.`,
    runbook,
    alarmTopic,
  });
}
