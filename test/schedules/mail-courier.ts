import { leaseMs } from '../support/send-builder.ts';
import { anyDelay, type Delay, soonAfter, within } from './delays.ts';
import type { Dice } from './dice.ts';
import type { FaultSource } from './faults.ts';
import type { MailReport, Taken } from './ledger.ts';
import { type Fate, fateOf, testReportsOf, unreadable } from './mail-events.ts';
import type { Lateness } from './plan.ts';
import type { World } from './world.ts';

export type CourierSettings = {
  /** Nobody has these addresses. */
  readonly bouncing: ReadonlySet<string>;
  readonly lateness: Lateness;
  /** The share of events that can never be recorded. Other events report their messages, but maybe late. */
  readonly unreadableRate: number;
  /**
   * The share of messages of which everything but the proof arrives late: nothing stands in for what the proof misses.
   */
  readonly lonelyProofRate: number;
  readonly faults: FaultSource;
  /** See `anyDelay`. */
  readonly landmarks: readonly [number, ...number[]];
};

/** Enough time for one recording without faults. */
const proofMarginMs = { least: 1_000, most: 4_000 };

/**
 * Brings all that follows from a message that SES took, shuffled, repeated and late. Unless the schedule
 * is of late events, one thing surely comes within the lease: an event, whether it can be recorded or not, or a
 * hit of the pixel. It proves that the message is out.
 */
export function followUp(taken: Taken, world: World, settings: CourierSettings): void {
  const { dice, ledger, queue, lurking } = world;
  if (taken.testEvents !== undefined) return void bringTestEvents(taken, world, settings);
  const { lateness } = settings;
  const { reports, hits } = fateOf(taken, settings.bouncing.has(taken.to), dice);
  const isLost = ({ type }: MailReport) =>
    type !== 'Send' && type !== 'Reject' && dice.chance(settings.unreadableRate);
  const fate = { hits, reports: reports.map((one) => (isLost(one) ? unreadable(one) : one)) };
  ledger.reports.push(...fate.reports);
  const hasProofAlone = lateness === 'none' && dice.chance(settings.lonelyProofRate);

  const bringCopies = (report: MailReport): void => {
    const isLate =
      hasProofAlone || lateness === 'all' || (lateness === 'send' && report.type === 'Send');
    const copies = dice.weighted([
      [1, 6],
      [2, 3],
      [3, 1],
    ]);
    for (let copy = 0; copy < copies; copy += 1) {
      const delay = isLate ? afterLease(taken, world) : travelTime(dice, settings.landmarks);
      void lurking.lurk(taken.subject, delay).then(() => queue.carry(report, settings.faults));
    }
  };
  for (const report of fate.reports) bringCopies(report);
  for (const { isMachine } of fate.hits) {
    const isLate = hasProofAlone || (lateness === 'all' && dice.chance(0.7));
    const delay = isLate ? afterLease(taken, world) : travelTime(dice, settings.landmarks);
    void lurking
      .lurk(taken.subject, delay)
      .then(() => queue.hit(taken, isMachine, settings.faults));
  }
  if (lateness === 'none') void bringProof(taken, fate, world, settings.unreadableRate);
}

/** Delivers the queue message with all events of a test email, at least once within the lease. */
async function bringTestEvents(
  taken: Taken,
  world: World,
  { lateness, landmarks, faults }: CourierSettings,
): Promise<void> {
  const { dice, ledger, queue, lurking, scheduler } = world;
  const own = ledger.reports.filter((report) => report.taken === taken);
  const reports = own.length > 0 ? own : testReportsOf(taken);
  if (own.length === 0) ledger.reports.push(...reports);
  for (let copy = 0; copy < dice.between(1, 2); copy += 1) {
    const delay = lateness === 'none' ? travelTime(dice, landmarks) : afterLease(taken, world);
    void lurking.lurk(taken.subject, delay).then(() => queue.carryTest(reports, faults));
  }
  if (lateness !== 'none') return;
  const margin = dice.between(proofMarginMs.least, proofMarginMs.most);
  await scheduler.pause(taken.leaseEnd - margin - scheduler.now());
  await queue.carryTest(reports);
}

async function bringProof(
  taken: Taken,
  { reports, hits }: Fate,
  { dice, scheduler, queue }: World,
  unreadableRate: number,
): Promise<void> {
  const margin = dice.between(proofMarginMs.least, proofMarginMs.most);
  const [send, ...others] = reports;
  const proof = dice.weighted<MailReport | 'hit' | undefined>([
    [send, 5 * (1 - unreadableRate)],
    [send && unreadable(send), 5 * unreadableRate],
    ...others.map((report) => [report, 2] as const),
    ['hit', hits.length > 0 ? 2 : 0],
  ]);
  await scheduler.pause(taken.leaseEnd - margin - scheduler.now());
  if (proof === 'hit') await queue.hit(taken, dice.chance(0.4));
  else if (proof) await queue.carry(proof);
}

const travelTime = (dice: Dice, landmarks: CourierSettings['landmarks']): Delay =>
  dice.weighted([
    [within(dice.between(1, 60)), 3],
    [within(dice.between(60, 3_000)), 3],
    [anyDelay(dice, landmarks), 3],
  ]);

/** Most arrive just as the lease ends and a retry may take over. */
const afterLease = ({ leaseEnd }: Taken, { dice, scheduler }: World): Delay =>
  soonAfter(
    leaseEnd - scheduler.now(),
    dice.weighted([
      [dice.between(0, 100), 2],
      [dice.between(100, 30_000), 2],
      [dice.between(0, 2 * leaseMs), 1],
    ]),
  );
