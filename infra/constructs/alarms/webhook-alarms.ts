import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { failurePercentage } from './failure-percentage.ts';
import { addLatenessAlarms } from './lateness-alarms.ts';
import { ServiceAlarm } from './service-alarm.ts';

export class WebhookAlarms extends Construct {
  constructor(scope: Construct, id: string, alarmTopic: ITopic) {
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
    new ServiceAlarm(this, 'attempts-fail', {
      metric: failurePercentage(this, {
        label: 'Webhook attempts that fail, in percent',
        counted: 'WebhookAttempted',
        by: 'result',
        succeeded: 'delivered',
        failed: ['rescheduled', 'failed'],
        period: Duration.minutes(15),
      }),
      threshold: 75,
      impact:
        'Three of four webhook attempts fail: receivers learn late, or after five attempts not at all, what became of their emails. When the timelines show it of many endpoints, the cause is ours (network, TLS, signing); when of one busy endpoint, tell its owner.',
      runbook: 'A receiver of webhooks is down',
      alarmTopic,
    });
  }
}
