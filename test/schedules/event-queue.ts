import {
  recordingTimeoutSeconds,
  retryDelaySeconds,
  workSeconds,
} from '#shared/config/event-retry-plan';
import type { EventRecording } from '#shared/sends/event-recording';
import { type EngagementRecording, recordEngagement } from '#shared/sends/record-engagement';
import { openOf } from '#shared/tracking/engagement';
import { recordOrMark } from '../../functions/record-provider-event/record-or-mark.ts';
import { type Delay, within } from './delays.ts';
import { type FaultSource, noFaults } from './faults.ts';
import type { Ledger, MailReport, Taken } from './ledger.ts';
import type { Lurking } from './lurking.ts';
import type { Ending, SandboxHost } from './sandbox.ts';
import type { Scheduler } from './scheduler.ts';

/** Brings SES's events to the service, at least once each, and the hits of pixels, once. */
export type EventQueue = {
  /** Brings one copy of the event at once. When its recording fails, it comes again, and is given up in the end. */
  carry(report: MailReport, faults?: FaultSource): Promise<void>;
  /** Fetches the pixel of a message at once. A hit that is not recorded is lost. */
  hit(taken: Taken, isMachine: boolean, faults?: FaultSource): Promise<void>;
};

type Surroundings = {
  readonly host: SandboxHost;
  readonly scheduler: Scheduler;
  readonly lurking: Lurking;
  readonly ledger: Ledger;
  readonly intake: EventRecording;
  readonly recording: EngagementRecording;
};

/** The table and the functions recover in the end. The queue goes on for a day. */
const mostFailures = 3;
const silent = { onFact: () => {}, onUnmarked: () => {} };

type RecordEnding = 'recorded' | 'failed' | 'died';

export function openEventQueue(surroundings: Surroundings): EventQueue {
  const { host, scheduler, lurking, ledger, intake, recording } = surroundings;
  let copies = 0;

  const record = async (
    { event, ...report }: MailReport,
    failures: number,
    faults: FaultSource,
  ): Promise<RecordEnding> => {
    copies += 1;
    const { taken, type } = report;
    const name = `${type} ${taken.messageId} #${copies}`;
    const startedAt = scheduler.now();
    const ended = host
      .run({ name, subject: taken.subject, faults }, () =>
        recordOrMark(event, failures > 0, intake, silent),
      )
      .then((ending): RecordEnding => {
        if (ending.kind === 'returned') {
          const { kind } = ending.result;
          report.recordings.push({ kind, startedAt, at: scheduler.now() });
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

  /** What failed in the topic's first try is in the queue at once. From there it comes back by the plan. */
  const nextTry = (failures: number, ending: RecordEnding): Delay => {
    if (failures === 0) return within(1_000);
    const seconds = ending === 'failed' ? retryDelaySeconds(failures) : workSeconds(failures);
    return within(seconds * 1_000);
  };

  return {
    async carry(report, faults = noFaults) {
      for (let failures = 0; failures <= mostFailures; failures += 1) {
        const ending = await record(report, failures, failures < mostFailures ? faults : noFaults);
        if (ending === 'recorded') return;
        await lurking.lurk(report.taken.subject, nextTry(failures, ending));
      }
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
