import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { failurePercentage } from '../alarms/failure-percentage.ts';
import { addLatenessAlarms } from '../alarms/lateness-alarms.ts';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';
import { sendQueueSettings } from './queue-settings.ts';
import { createWorkQueue, invokeFrom } from './work-queue.ts';

type SendQueueProps = {
  readonly alarmTopic: ITopic;
  readonly concurrentBatches: number;
};

/**
 * Decides when workers look at waiting sends. The sends are in the table, where the schedule finds each one that is due,
 * whatever happened to its message.
 */
export class SendQueue extends Construct {
  readonly queue: Queue;
  readonly #concurrentBatches: number;

  constructor(scope: Construct, id: string, { alarmTopic, concurrentBatches }: SendQueueProps) {
    super(scope, id);
    this.#concurrentBatches = concurrentBatches;
    this.queue = createWorkQueue(this, 'Queue', sendQueueSettings, {
      impact:
        'Some queued and scheduled emails go out a minute late: attempts fail in send-queued before they reach SES. Nothing is lost: the scheduled run makes them. Read the errors of send-queued and fix the cause. Then purge this queue (SQS console, "Purge") or redrive it: neither loses or repeats an email.',
      alarmTopic,
    });
    addLatenessAlarms(this, {
      lateness: 'SendOldestDueLateness',
      runBy: 'run-send-queue',
      late: {
        id: 'sends-late',
        threshold: Duration.minutes(15),
        impact:
          "Queued and scheduled emails go out at least 15 minutes late. Either more are due than the account's SES rate or queuedSendsPerSecond allows: ask SES for a higher rate, or raise the setting. Or attempts die before they reach SES: read the errors of run-send-queue and send-queued.",
      },
      notRun:
        'Scheduled emails may not go out, nor queued ones whose queue message was lost or whose attempt failed: no run has checked for due emails in 5 minutes.',
      runbook: 'Emails go out late',
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
        'Three in four attempts at queued and scheduled emails fail. The emails are retried, and fail for good after sendPatienceSeconds. Read the reason on the attempts in the timelines. None, and the email stays "sending": SES answers 5xx or too late, and may have sent it. Throttled: the SES quota or rate is used up. Unreachable: the network or SES is down. RequestUnreadable: a newer version accepted the emails; go forward again within two days. Any other: SES refuses them. If that hits all organizations, SES has paused the account; if one, its domain is lost or its tenant paused.',
      runbook: 'Emails go out late',
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
