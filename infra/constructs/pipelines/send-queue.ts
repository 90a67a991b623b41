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
 * Decides when workers look at waiting sends. The sends are in the table, where the schedule finds each that is due,
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
        'Attempts at queued and scheduled emails fail in send-queued before they reach SES. Nothing is lost: the scheduled run makes them, a minute late. Read the errors of send-queued and fix the cause. Then purge this queue (SQS console, "Purge"), or start its redrive: neither loses nor repeats an email.',
      alarmTopic,
    });
    addLatenessAlarms(this, {
      lateness: 'SendOldestDueLateness',
      runBy: 'run-send-queue',
      late: {
        id: 'sends-late',
        threshold: Duration.minutes(15),
        impact:
          'Queued and scheduled emails go out a quarter of an hour late and later. Either more are due than the SES rate of the account, or queuedSendsPerSecond, lets out: ask SES for a higher rate, or raise the setting. Or attempts die before they reach SES: read the errors of run-send-queue and send-queued.',
      },
      notRun:
        'No run has looked for due emails for five minutes: scheduled ones may not go out, nor queued ones whose message was lost or whose attempt failed.',
      runbook: 'Emails go out late',
      alarmTopic,
    });
    this.#sendsFail(alarmTopic);
  }

  /**
   * Each attempt that fails or stays in doubt moves the moment when its email is due, so none is late. What the organization's own limits
   * or state keep back is `held_up` or `refused`, and not counted.
   */
  #sendsFail(alarmTopic: ITopic): void {
    new ServiceAlarm(this, 'sends-fail', {
      metric: failurePercentage(this, {
        label: 'Attempts at queued and scheduled emails that fail, in percent',
        counted: 'WaitingSendAttempted',
        by: 'outcome',
        succeeded: 'sent',
        failed: ['postponed', 'failed', 'in_doubt'],
        period: Duration.minutes(15),
      }),
      threshold: 75,
      impact:
        'Three of four attempts at queued and scheduled emails fail: they are tried again, and fail for good after sendPatienceSeconds. The attempts in the timelines have the reason. None, and the email stays "sending": SES answers 5xx or not in time, and may have sent it. Throttled: the SES quota or rate is used up. Unreachable: the network, or SES is down. RequestUnreadable: a newer version accepted them, so go forward again within two days. Others are SES refusing: of all organizations, it has paused the account; of one, its domain is lost or its tenant paused.',
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
      description: 'Sends the emails that are due',
      whyNothingIsLost:
        'A scheduled run that fails leaves nothing to repeat: the next one finds the same sends a minute later, and an alarm rings when none succeeds for five.',
    });
  }
}
