import { readSesEvent } from '#shared/events/ses-event';
import { type EngagementRecording, recordEngagement } from '#shared/sending/record-engagement';
import { openOf } from '#shared/tracking/engagement';
import type { EventRecording } from '../../functions/record-provider-event/event-recording.ts';
import { recordProviderEvent } from '../../functions/record-provider-event/record-provider-event.ts';
import { within } from './delays.ts';
import { type FaultSource, noFaults } from './faults.ts';
import type { Ledger, MailReport, Taken } from './ledger.ts';
import type { Lurking } from './lurking.ts';
import type { Ending, SandboxHost } from './sandbox.ts';
import type { Scheduler } from './scheduler.ts';

/** Brings SES's events to the service, at least once each, and the hits of pixels, once. */
export type EventQueue = {
  /** Brings one copy of the event at once. When its recording fails, it comes again, later. */
  carry(report: MailReport, faults?: FaultSource): Promise<void>;
  /** Fetches the pixel of a message at once. A hit that is not recorded is lost. */
  hit(taken: Taken, isMachine: boolean, faults?: FaultSource): Promise<void>;
  /** How many copies of events failed and wait for their next try. */
  waiting(): number;
};

type Surroundings = {
  readonly host: SandboxHost;
  readonly scheduler: Scheduler;
  readonly lurking: Lurking;
  readonly ledger: Ledger;
  readonly intake: EventRecording;
  readonly recording: EngagementRecording;
};

/** A recording that has not ended by then has failed for the queue, though it may go on. */
const visibilityMs = 60_000;
const retryMs = 30_000;
/** The table and the functions recover in the end. The queue goes on for a day. */
const mostFailures = 3;

export function openEventQueue(surroundings: Surroundings): EventQueue {
  const { host, scheduler, lurking, ledger, intake, recording } = surroundings;
  let copies = 0;
  let waiting = 0;

  const record = async (report: MailReport, faults: FaultSource): Promise<boolean> => {
    copies += 1;
    const { taken, type } = report;
    const name = `${type} ${taken.messageId} #${copies}`;
    const startedAt = scheduler.now();
    const ended = host
      .run({ name, subject: taken.subject, faults }, () =>
        recordProviderEvent(readSesEvent(report.event), intake),
      )
      .then((ending) => {
        if (ending.kind === 'returned') {
          const { kind } = ending.result;
          report.recordings.push({ kind, startedAt, at: scheduler.now() });
        } else if (faults === noFaults) {
          ledger.violate('an event is recorded when nothing fails', `${name} ${inWords(ending)}`);
        }
        return ending.kind === 'returned';
      });
    return Promise.race([ended, scheduler.pause(visibilityMs).then(() => false)]);
  };

  return {
    async carry(report, faults = noFaults) {
      for (let failures = 0; ; failures += 1) {
        const isRecorded = await record(report, failures < mostFailures ? faults : noFaults);
        if (failures > 0 && isRecorded) waiting -= 1;
        if (isRecorded) return;
        if (failures === 0) waiting += 1;
        await lurking.lurk(report.taken.subject, within(retryMs * 2 ** failures));
      }
    },

    waiting: () => waiting,

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
