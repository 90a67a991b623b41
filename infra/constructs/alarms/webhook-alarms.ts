import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { addLatenessAlarms } from './lateness-alarms.ts';
import { ServiceAlarm } from './service-alarm.ts';
import { serviceMetric } from './service-metric.ts';

export type WebhookAlarmsProps = {
  readonly alarmTopic: ITopic;
};

export class WebhookAlarms extends Construct {
  constructor(scope: Construct, id: string, { alarmTopic }: WebhookAlarmsProps) {
    super(scope, id);
    this.#attemptsFail(alarmTopic);
    addLatenessAlarms(this, {
      lateness: 'WebhookOldestDueLateness',
      runBy: 'run-webhook-queue',
      late: {
        id: 'deliveries-late',
        threshold: Duration.minutes(5),
        impact:
          'Webhook deliveries wait five minutes and longer for an attempt that is due. Either an endpoint hangs or is down and has a backlog, which holds up no other endpoint, or one delivery cannot be attempted at all: read the log of run-webhook-queue, and tell the owner of the endpoint.',
      },
      notRun:
        'No run has looked for due webhook deliveries for five minutes: no failed delivery is tried again, and first attempts whose message was lost are not made.',
      runbook: 'A receiver of webhooks is down',
      alarmTopic,
    });
  }

  #attemptsFail(alarmTopic: ITopic): void {
    const period = Duration.minutes(15);
    const attempts = (result: string) =>
      serviceMetric(this, 'WebhookAttempted', { dimensions: { result }, statistic: 'Sum', period });
    new ServiceAlarm(this, 'attempts-fail', {
      metric: new MathExpression({
        label: 'Webhook attempts that fail, in percent',
        expression: failurePercentage,
        usingMetrics: {
          delivered: attempts('delivered'),
          rescheduled: attempts('rescheduled'),
          failed: attempts('failed'),
        },
        period,
      }),
      threshold: 75,
      impact:
        'Three of four webhook attempts fail: receivers learn late, or after five attempts not at all, what became of their emails. When the timelines show it of many endpoints, the cause is ours (network, TLS, signing); when of one busy endpoint, tell its owner.',
      runbook: 'A receiver of webhooks is down',
      alarmTopic,
    });
  }
}

/** With fewer attempts in a period, one endpoint's bad day would be a high percentage. */
const fewestAttempts = 20;

/** A result that didn't occur has no data, which would leave the sum without data too. */
const of = (result: string) => `FILL(${result}, 0)`;
const failures = `(${of('rescheduled')} + ${of('failed')})`;
const all = `(${failures} + ${of('delivered')})`;
const failurePercentage = `IF(${all} >= ${fewestAttempts}, 100 * ${failures} / ${all}, 0)`;
