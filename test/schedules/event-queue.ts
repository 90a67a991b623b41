import {
  recordingTimeoutSeconds,
  retryDelaySeconds,
  workSeconds,
} from '#shared/config/event-retry-plan';
import { type EngagementRecording, recordEngagement } from '#shared/send-history/record-engagement';
import type { EventRecording } from '#shared/send-history/record-event';
import { openOf } from '#shared/tracking/engagement';
import { recordOrMark } from '../../functions/record-provider-event/record-or-mark.ts';
import {
  recordTestEvents,
  testEventsSchema,
} from '../../functions/record-test-events/record-test-events.ts';
import { recordLog } from '../support/recorded-log.ts';
import { type Delay, within } from './delays.ts';
import { type FaultSource, noFaults } from './faults.ts';
import type { Ledger, MailReport, Recording, Taken } from './ledger.ts';
import type { Lurking } from './lurking.ts';
import type { Ending, SandboxHost } from './sandbox.ts';
import type { Scheduler } from './scheduler.ts';

/** Delivers SES's events to the service at least once each, and pixel hits once. */
export type EventQueue = {
  /** Delivers one copy of the event now. It is retried when recording fails, and given up eventually. */
  carry(report: MailReport, faults?: FaultSource): Promise<void>;
  /** Delivers the one message with all events of a test email now, and again when recording fails. */
  carryTest(reports: readonly MailReport[], faults?: FaultSource): Promise<void>;
  /** Fetches a message's pixel now. A hit that isn't recorded is lost. */
  hit(taken: Taken, isMachine: boolean, faults?: FaultSource): Promise<void>;
};

type Surroundings = {
  readonly host: SandboxHost;
  readonly scheduler: Scheduler;
  readonly lurking: Lurking;
  readonly ledger: Ledger;
  readonly recording: EventRecording & EngagementRecording;
};

/** The table and the functions recover eventually. The queue retries for a day. */
const maxFailures = 3;

/** The outcome of one report. */
type Recorded = Pick<Recording, 'kind'> & Pick<MailReport, 'recordings'>;

type RecordEnding = 'recorded' | 'failed' | 'died';

export function openEventQueue(surroundings: Surroundings): EventQueue {
  const { host, scheduler, lurking, ledger, recording } = surroundings;
  let copies = 0;

  const record = async (
    report: Pick<MailReport, 'taken' | 'type' | 'isReadable'>,
    faults: FaultSource,
    operation: () => Promise<readonly Recorded[]>,
  ): Promise<RecordEnding> => {
    copies += 1;
    const { taken, type } = report;
    const name = `${type} ${taken.messageId} #${copies}`;
    const startedAt = scheduler.now();
    const ended = host
      .run({ name, subject: taken.subject, faults }, operation)
      .then((ending): RecordEnding => {
        if (ending.kind === 'returned') {
          for (const { kind, recordings } of ending.result) {
            recordings.push({ kind, startedAt, at: scheduler.now() });
          }
          return 'recorded';
        }
        if (faults === noFaults && report.isReadable) {
          ledger.violate('an event is recorded when nothing fails', `${name} ${inWords(ending)}`);
        }
        return ending.kind === 'threw' ? 'failed' : 'died';
      });
    // Lambda gives up on it then, though it may go on.
    const isGivenUp = scheduler.pause(recordingTimeoutSeconds * 1_000).then(() => 'died' as const);
    return Promise.race([ended, isGivenUp]);
  };

  /** What failed in the topic's first try enters the queue at once. From there it is retried on schedule. */
  const nextTry = (failures: number, ending: RecordEnding): Delay => {
    if (failures === 0) return within(1_000);
    const seconds = ending === 'failed' ? retryDelaySeconds(failures) : workSeconds(failures);
    return within(seconds * 1_000);
  };

  const recordUntilDone = async (
    report: Pick<MailReport, 'taken' | 'type' | 'isReadable'>,
    faults: FaultSource,
    operation: (failures: number) => Promise<readonly Recorded[]>,
  ): Promise<void> => {
    for (let failures = 0; failures <= maxFailures; failures += 1) {
      const ofTry = failures < maxFailures ? faults : noFaults;
      const ending = await record(report, ofTry, () => operation(failures));
      if (ending === 'recorded') return;
      await lurking.lurk(report.taken.subject, nextTry(failures, ending));
    }
  };

  return {
    carry: (report, faults = noFaults) =>
      recordUntilDone(report, faults, async (failures) => {
        const { event, recordings } = report;
        const { log } = recordLog();
        const { kind } = await recordOrMark(event, failures > 0, recording, log);
        return [{ kind, recordings }];
      }),

    async carryTest(reports, faults = noFaults) {
      const [first] = reports;
      if (first === undefined) return;
      const body = JSON.stringify({ events: reports.map(({ event }) => event) });
      await recordUntilDone(first, faults, async () => {
        await recordTestEvents(testEventsSchema.parse(JSON.parse(body)), recording);
        return reports.map(({ recordings }) => ({ kind: 'recorded', recordings }));
      });
    },

    async hit(taken, isMachine, faults = noFaults) {
      copies += 1;
      const at = scheduler.now();
      const identity = { name: `pixel ${taken.messageId} #${copies}`, subject: taken.subject };
      const ending = await host.run({ ...identity, faults }, () =>
        recordEngagement(openOf(taken.feedbackId), { at, isMachine }, recording),
      );
      if (ending.kind === 'threw' && faults === noFaults) {
        ledger.violate('a hit is recorded when nothing fails', inWords(ending));
      }
      ledger.hits.push({ taken, isMachine, at, isRecorded: ending.kind === 'returned' });
    },
  };
}

const inWords = (ending: Ending<unknown>): string =>
  ending.kind === 'threw' ? String(ending.error) : ending.kind;
