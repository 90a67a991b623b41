import { ServiceError } from '#shared/errors/service-error';
import { cancelSend, moveSend } from '#shared/sending/later/change-plan';
import { waitingPlaceOf } from '#shared/sending/later/send-later';
import type { QueuedSend, SendToWake } from '#shared/sending/later/send-queue';
import {
  lookAfterDoubt,
  sendWaiting,
  type WaitingSending,
} from '#shared/sending/later/send-waiting';
import { dueSends } from '#shared/sending/later/waiting-store';
import type { Sending } from '#shared/sending/sending';
import { findDueOwners } from '#shared/table/due-index';
import type { Table } from '#shared/table/table-client';
import { createSemaphore } from '#shared/timing/semaphore';
import {
  type FeedbackId,
  type OrganizationId,
  organizationIdOf,
  type SlotId,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../support/api-key-builder.ts';
import { recordLog } from '../support/recorded-log.ts';
import { anyDelay } from './delays.ts';
import type { Dice } from './dice.ts';
import { type FaultPlan, type FaultSource, noFaults } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { Lurking } from './lurking.ts';
import type { Sandbox, SandboxHost } from './sandbox.ts';
import type { Scheduler } from './scheduler.ts';
import { keyInBucket } from './simulated-bucket.ts';
import type { Trace } from './trace.ts';

/** How somebody changes a waiting send's plan. */
export type ChangeOfMind =
  | { readonly kind: 'cancel' }
  | { readonly kind: 'move'; readonly sendAt: number };

/** The queue, its workers, the schedule, and people who change plans. */
export type Workers = {
  /** What the service's waker does: each message arrives at least once, unless sending it failed. */
  wake(sends: readonly SendToWake[]): Promise<void>;
  /** Runs until nothing waits. */
  runEachMinute(isOver: () => boolean): Promise<void>;
  /** Changes the plan of the send that a key has now, if it has one. */
  change(subject: string, mind: ChangeOfMind, faults: FaultSource): Promise<void>;
};

/** For requests and for the workers, which also read what waits. */
export type SendingOf = (sandbox: Sandbox) => Sending & Pick<WaitingSending, 'contents'>;

type Surroundings = {
  readonly host: SandboxHost;
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly ledger: Ledger;
  readonly lurking: Lurking;
  readonly table: Table;
  readonly faults: FaultSource;
  readonly landmarks: FaultPlan['landmarks'];
  readonly sendingOf: SendingOf;
};

const minuteMs = 60_000;
/** A message whose worker failed or died returns: see `queue-settings.ts`. */
const visibilityMs = 6 * minuteMs;
/** Longer than any patience. */
const maxRuns = 5_000;

export function openWorkers(surroundings: Surroundings): Workers {
  const { host, scheduler, dice, trace, ledger, lurking, table, faults, landmarks, sendingOf } =
    surroundings;
  let runs = 0;

  const sendingIn = (sandbox: Sandbox): WaitingSending => ({
    ...sendingOf(sandbox),
    takeTurn: async () => true,
    memory: createSemaphore(1),
    until: Number.POSITIVE_INFINITY,
  });

  /** One invocation for one message. @returns whether the message is done. */
  const work = async (queued: QueuedSend, by: string): Promise<boolean> => {
    const { slotId } = queued;
    runs += 1;
    const subject = subjectOf(slotId, ledger);
    const ending = await host.run({ name: `${by} ${runs}`, subject, faults }, async (sandbox) => {
      const sending = sendingIn(sandbox);
      // As `run-send-queue` does.
      if (by === 'run') await sending.wakeSenders([lookAfterDoubt(slotId, sending)]);
      return sendWaiting(queued, sending, recordLog().log);
    });
    trace.tell(`${by} ${runs}`, ending.kind === 'returned' ? ending.result : ending.kind);
    return ending.kind === 'returned';
  };

  const deliver = async (queued: QueuedSend, delayMs: number): Promise<void> => {
    await scheduler.pause(delayMs + dice.between(0, 500));
    for (let received = 1; received <= 2; received += 1) {
      // A worker frozen for this long has lost the message: it is redelivered in between.
      const isVisible = scheduler.pause(visibilityMs).then(() => false);
      if (await Promise.race([work(queued, 'worker'), isVisible])) return;
      await isVisible;
    }
    ledger.hasLostMessages = true;
  };

  const runOnce = async (): Promise<void> => {
    const found = new Set<SlotId>();
    for (let shard = 0; shard < dueSends.shards; shard += 1) {
      const { firstPages } = await scheduler.hold(
        findDueOwners(table, dueSends, shard, scheduler.now(), undefined),
      );
      for (const { page } of firstPages) for (const { id } of page.entries) found.add(id);
    }
    for (const slotId of found) void work({ slotId }, 'run');
  };

  return {
    async wake(sends) {
      await host
        .current()
        ?.call('wake the workers', async () => {
          for (const { delayMs, ...queued } of sends) {
            void host.outside(() => deliver(queued, Math.max(0, delayMs)));
            // SQS may deliver a message twice.
            if (!dice.chance(0.3)) continue;
            void lurking
              .lurk(subjectOf(queued.slotId, ledger), anyDelay(dice, landmarks))
              .then(() => work(queued, 'second worker'));
          }
        })
        .catch(() => {
          ledger.hasLostMessages = true;
        });
    },
    async runEachMinute(isOver) {
      for (let run = 1; ; run += 1) {
        await scheduler.pause(minuteMs);
        await runOnce();
        if (isOver() && !mayStillWait(ledger, scheduler.now())) return;
        if (run < maxRuns) continue;
        ledger.violate(
          'nothing waits for ever',
          [...ledger.sends.values()].map(({ status }) => status).join(),
        );
        return;
      }
    },
    async change(subject, mind, own) {
      const send = [...ledger.sends.values()].findLast((one) => one.idempotencyKey === subject);
      if (send === undefined) return;
      runs += 1;
      const name = `${mind.kind} ${runs}`;
      const planned = { id: send.id, caller: callerIn(organizationIdOf(send.id)) };
      let hasSuffered = () => true;
      const ending = await host.run({ name, subject, faults: own }, async (sandbox) => {
        ({ hasSuffered } = sandbox);
        const sending = sendingOf(sandbox);
        return mind.kind === 'cancel'
          ? cancelSend(planned, sending, recordLog().log)
          : moveSend(planned, mind.sendAt, {
              ...sending,
              sendRetentionDays: sending.settings.sendRetentionDays,
              patienceMs: sending.settings.patienceMs,
            });
      });
      const result = ending.kind === 'returned' ? ending.result.status : ending.kind;
      trace.tell(name, `is answered ${result}`);
      if (ending.kind === 'returned' && mind.kind === 'cancel') {
        ledger.canceled.add(send.feedbackId);
        if (!hasSuffered()) checkDeleted(send.feedbackId, name, ledger);
      }
      const isUnforced = ending.kind === 'threw' && !(ending.error instanceof ServiceError);
      if (isUnforced && own === noFaults) ledger.violate('a change of plan has an answer', name);
    },
  };
}

/** Callers who cancel a send rely on its content being deleted. */
function checkDeleted(feedbackId: FeedbackId, name: string, ledger: Ledger): void {
  const send = ledger.sends.get(feedbackId);
  const place = send && waitingPlaceOf(send);
  const key = place && keyInBucket(place);
  const isThere = key !== undefined && ledger.contents.has(key) && !ledger.deletedContents.has(key);
  if (isThere) ledger.violate('canceling deletes the content', name);
}

const callerIn = (organizationId: OrganizationId) => {
  const { apiKey } = buildApiKey({ organizationId });
  return { organizationId, actor: apiKey.id, apiKey };
};

const subjectOf = (slotId: SlotId, { sends }: Ledger): string => {
  const own = slotId.slice('slt_'.length);
  const send = [...sends.values()].findLast(({ id }) => id.startsWith(`snd_${own}`));
  return send?.idempotencyKey ?? own;
};

/** Whether workers have something to do, now or later. */
export const mayStillWait = ({ sends }: Ledger, now: number): boolean =>
  [...sends.values()].some(
    ({ dueAt, expiresAt }) => dueAt !== undefined && expiresAt * 1_000 > now,
  );
