import { leaseMs } from '../support/send-builder.ts';
import { sesMessageId } from '../support/ses-event-builder.ts';
import { createDice } from './dice.ts';
import { type FaultSource, noFaults, randomFaults } from './faults.ts';
import { checkWorld } from './final-checks.ts';
import type { Answer, Ledger, Violation } from './ledger.ts';
import { followUp } from './mail-courier.ts';
import type { Lateness } from './plan.ts';
import {
  makePlan,
  type Plan,
  type PlannedBatch,
  type PlannedChange,
  type PlannedClient,
} from './plan.ts';
import { sweepExpired } from './sweeper.ts';
import { mayStillWait } from './workers.ts';
import { inMemory, openWorld, type TableOpener, type World } from './world.ts';

export type ScheduleOptions = {
  readonly seed: number;
  readonly lateness?: Lateness;
  readonly openTable?: TableOpener;
};

/** The result of one schedule. */
export type ScheduleReport = {
  readonly seed: number;
  readonly lateness: Lateness;
  readonly violations: readonly Violation[];
  /** All that happened, in readable lines. */
  readonly trace: readonly string[];
  readonly ledger: Ledger;
};

/** Whether a violated rule must always hold. Some rules need SES's events in time. */
export const isViolated = ({ violations, lateness }: ScheduleReport): boolean =>
  violations.some((violation) => lateness === 'none' || !violation.isLate);

/** What happened in a failed schedule, and how to repeat it. */
export const tellOf = ({ seed, lateness, trace, violations }: ScheduleReport): string =>
  [
    ...trace,
    '',
    ...violations.map(({ rule, detail }) => `violated: ${rule} (${detail})`),
    `to replay: npm run prove -- 1 --seed ${seed}${replayOption[lateness]}`,
  ].join('\n');

const replayOption = { none: '', send: ' --late', all: ' --all-late' } as const;

const dayMs = 86_400_000;

/** Runs one schedule: its clients, SES and the table's faults, as the seed combines them. */
export async function runSchedule({
  seed,
  lateness = 'none',
  openTable = inMemory,
}: ScheduleOptions): Promise<ScheduleReport> {
  const dice = createDice(seed);
  const plan = makePlan(dice, lateness);
  const faults = randomFaults(dice, plan.faults);
  let isCalm = false;
  let isOver = false;
  const world = await openWorld({
    dice,
    webhooks: plan.webhooks,
    retentionDays: plan.retentionMs / dayMs,
    openTable,
    workerFaults: (callName) => (isCalm ? undefined : faults(callName)),
    landmarks: plan.faults.landmarks,
    patienceMs: plan.patienceMs,
    ses: {
      behaviourFor: () => (isCalm ? 'accepts' : dice.weighted(plan.ses)),
      // A rejection of one of two messages, which late events make possible, is forgotten by the service
      // when the other is rejected, too. SES rejects content: that of both, or of none.
      isRejected: () => lateness === 'none' && !isCalm && dice.chance(0.06),
      // Some ids contain their send's creation time, and have no index entry.
      messageId: (number, at) => (number % 2 === 0 ? sesMessageId(at, `m${number}`) : `m${number}`),
    },
    onTaken: (taken) =>
      followUp(taken, world, {
        bouncing: plan.bouncing,
        unreadableRate: plan.unreadableRate,
        lonelyProofRate: plan.lonelyProofRate,
        landmarks: plan.faults.landmarks,
        lateness,
        faults,
      }),
  });
  const course = async () => {
    if (plan.isForgetful) void sweepExpired(world, plan.retentionMs);
    void world.workers.runEachMinute(() => isOver);
    await Promise.all([
      ...plan.clients.map((client) => come(client, world, faults)),
      ...plan.batches.map((batch) => comeWithBatch(batch, world, faults)),
      ...plan.changes.map((change) => changePlan(change, world, faults)),
    ]);
    await world.scheduler.pause(leaseMs + 1_000);
    isCalm = true;
    await askForTheLastTime(plan, world);
    isOver = true;
  };
  await runToEnd(world, course);
  const { trace, ledger } = world;
  const { violations } = ledger;
  return { seed, lateness, violations, trace: trace.lines(), ledger };
}

/** Runs everything to its end, and checks the result. */
export async function runToEnd(world: World, course: () => Promise<void>): Promise<void> {
  const outcomes: unknown[] = [];
  void course().then(
    () => outcomes.push('over'),
    (error: unknown) => outcomes.push(error),
  );
  await world.scheduler.run();
  // A process that was frozen for long may have stored something since the schedule ended.
  while (mayStillWait(world.ledger, world.scheduler.now())) {
    void world.workers.runEachMinute(() => true);
    await world.scheduler.run();
  }
  const [outcome] = outcomes;
  if (outcome !== 'over') world.ledger.violate('no client waits for ever', String(outcome));
  await checkWorld(world);
}

async function come(
  { comesIn, ...client }: PlannedClient,
  { lurking, clients }: World,
  faults: FaultSource,
): Promise<void> {
  await lurking.lurk(client.subject, comesIn);
  await clients.insist({ ...client, faults });
}

async function comeWithBatch(
  { comesIn, ...batch }: PlannedBatch,
  { lurking, clients }: World,
  faults: FaultSource,
): Promise<void> {
  await lurking.lurk(batch.emails[0]?.subject ?? batch.name, comesIn);
  await clients.insistOnBatch({ ...batch, faults });
}

async function changePlan(
  { subject, mind, comesIn }: PlannedChange,
  { lurking, workers }: World,
  faults: FaultSource,
): Promise<void> {
  await lurking.lurk(subject, comesIn);
  await workers.change(subject, mind, faults);
}

/** Clients that retry while attempts are under way or in doubt return at the end of each lease. */
const maxLastTries = 20;

/** By now a scheduled email's time has long passed: without a send for its key, that's an error. */
const isRefusedAsPast = (answer: Answer | undefined): boolean =>
  answer?.kind === 'error' && answer.code === 'validation_failed';

/** Once everything works again, each key has its answer. */
async function askForTheLastTime(plan: Plan, { clients, ledger, scheduler }: World): Promise<void> {
  const keyed = plan.clients.filter(({ request }) => request.idempotencyKey !== undefined);
  for (const [subject, asked] of Map.groupBy(keyed, (client) => client.subject)) {
    const bodies = new Map(asked.map(({ request }) => [JSON.stringify(request), request]));
    const isTest = asked.some((client) => client.isTest);
    let isAnswered = false;
    for (const request of bodies.values()) {
      const who = { name: `${subject}/last`, subject, isTest };
      const last = { ...who, request, isPatient: true, faults: noFaults };
      const answer = await clients.insist({ ...last, maxTries: maxLastTries });
      const isKnown = [...ledger.sends.values()].some(
        ({ idempotencyKey, expiresAt }) =>
          idempotencyKey === request.idempotencyKey && expiresAt * 1_000 > scheduler.now(),
      );
      isAnswered ||= answer?.kind === 'ok' || (!isKnown && isRefusedAsPast(answer));
    }
    if (!isAnswered) ledger.violate('each key is answered in the end', subject);
  }
}
