import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { failurePercentage } from '../alarms/failure-percentage.ts';
import { addLatenessAlarms } from '../alarms/lateness-alarms.ts';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { serviceNameOf } from '../alarms/service-metric.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';
import { sendQueueSettings } from './queue-settings.ts';
import { createWorkQueue, invokeFrom } from './work-queue.ts';

type SendQueueProps = {
  readonly alarmTopic: ITopic;
  readonly concurrentBatches: number;
};

/**
 * Decides when workers look at waiting sends. The sends are in the table, where the schedule finds each one that is
 * due, whatever happened to its message.
 */
export class SendQueue extends Construct {
  readonly queue: Queue;
  readonly #concurrentBatches: number;

  constructor(scope: Construct, id: string, { alarmTopic, concurrentBatches }: SendQueueProps) {
    super(scope, id);
    this.#concurrentBatches = concurrentBatches;
    this.queue = createWorkQueue(this, 'Queue', sendQueueSettings, {
      impact:
        'Attempts die in send-queued before they reach SES: some queued and scheduled emails go out a minute late. None is lost.',
      firstStep:
        'Read the errors of send-queued and fix the cause, then purge or redrive this queue: neither loses nor repeats an email.',
      alarmTopic,
    });
    addLatenessAlarms(this, {
      lateness: 'SendOldestDueLateness',
      runBy: 'run-send-queue',
      late: {
        id: 'sends-late',
        threshold: Duration.minutes(15),
        impact: 'Queued and scheduled emails have been at least 15 minutes late for 15 minutes.',
        firstStep:
          'Read the errors of run-send-queue and send-queued. If there are none, raise queuedSendsPerSecond or ask SES for a higher rate.',
      },
      notRun: 'scheduled emails and retries of queued ones wait',
      runbook: 'emails-go-out-late',
      alarmTopic,
    });
    this.#sendsFail(alarmTopic);
  }

  /**
   * Each attempt that fails or stays in doubt postpones its email's due time, so none counts as late. Emails that the
   * organization's own limits or state hold back are `held_up` or `refused`, and not counted.
   */
  #sendsFail(alarmTopic: ITopic): void {
    new ServiceAlarm(this, 'sends-fail', {
      metric: failurePercentage(this, {
        label: 'Failed attempts at queued and scheduled emails, percent',
        counted: 'WaitingSendAttempted',
        by: 'outcome',
        succeeded: 'sent',
        failed: ['postponed', 'failed', 'in_doubt'],
        period: Duration.minutes(15),
      }),
      threshold: 75,
      impact:
        'At least 3 in 4 attempts at queued and scheduled emails failed in 15 minutes. The emails are retried, and fail for good after sendPatienceSeconds.',
      firstStep: `Run npm run -s manage -- sends list --outcome queued,sending,failed --stack ${serviceNameOf(this)}, and look up the reason in the runbook.`,
      runbook: 'emails-go-out-late',
      alarmTopic,
    });
  }

  sendBy(sendQueued: ServiceFunction): void {
    invokeFrom(this.queue, this, 'Sends', sendQueued, {
      batchSize: sendQueueSettings.batchSize,
      maxConcurrency: this.#concurrentBatches,
    });
  }

  runEachMinute({ invoked }: ServiceFunction): void {
    new FunctionSchedule(this, 'Schedule', {
      lambda: invoked,
      every: Duration.minutes(1),
      description: 'Sends due emails',
      whyNothingIsLost:
        'A failed run needs no retry: the next one finds the same sends a minute later, and an alarm rings when none succeeds for five minutes.',
    });
  }
}
