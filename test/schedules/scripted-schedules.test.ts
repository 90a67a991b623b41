import { beforeEach, describe, expect, it } from 'vitest';
import { dueDeliveries } from '#shared/table/delivery-keys';
import { findDueOwners } from '#shared/table/due-index';
import { contactSortKey } from '#shared/table/keys';
import { dueDeliveryList } from '#shared/webhook-deliveries/delivery-store';
import { captureOutput } from '../support/captured-output.ts';
import { exactly } from './delays.ts';
import { type FaultSource, noFaults, sesCall } from './faults.ts';
import { unreadable } from './mail-events.ts';
import { runToEnd } from './schedule.ts';
import { clientOf, faultAt, openScriptedWorld, summaryOf, tell } from './scripted-world.ts';

// Metrics, by the hundred: much is in doubt here.
beforeEach(() => {
  captureOutput();
});

describe('an abandoned attempt', () => {
  it("can't fail its successor when it thaws while that is at SES", async () => {
    const world = await openScriptedWorld({ first: 'refuses', second: 'accepts' });
    const { ask, answers, clients, scheduler, ledger } = world;
    const frozen = { kind: 'frozen before', delay: exactly(303_000) } as const;
    const slow = { kind: 'slow', delay: exactly(6_000) } as const;

    await runToEnd(world, async () => {
      void clients.post(clientOf('first', faultAt('TransactWriteItems SEND DELIVERY', frozen)));
      await scheduler.pause(301_000);
      await ask('second', faultAt('SES', slow));
      await ask('third');
    });

    expect(answers).toEqual(['sent m1', 'sent m1 replayed']);
    const first = ledger.answers.find(({ sandbox }) => sandbox.name === 'first.1');
    expect(summaryOf(first)).toBe('provider_outcome_unknown');
    expect(ledger.taken).toHaveLength(1);
    expect(ledger.violations).toEqual([]);
  });
});

describe('a sandbox that thaws right before its lease ends', () => {
  it("doesn't call SES, as no Send event could arrive in time", async () => {
    const world = await openScriptedWorld({ first: 'accepts' });
    const { ask, answers, clients, scheduler, ledger } = world;
    const frozen = faultAt('PutItem SEND', { kind: 'frozen after', delay: exactly(299_600) });
    const dies = faultAt(sesCall, { kind: 'dies after' });

    await runToEnd(world, async () => {
      void clients.post(clientOf('first', (callName) => frozen(callName) ?? dies(callName)));
      await scheduler.pause(300_100);
      await ask('second');
      await scheduler.pause(900);
      await tell(world, ledger.taken[0], 'Send');
    });

    expect(ledger.taken).toHaveLength(1);
    expect(answers).toEqual(['sent m1']);
    expect(ledger.violations).toEqual([]);
  });
});

describe('a worker that thaws after checking a waiting send', () => {
  it('sends nothing based on that, and the next worker checks again', async () => {
    const frozen = { kind: 'frozen after', delay: exactly(40_000) } as const;
    // SQS delivers its message twice.
    const workers = [1, 2].map((number) => faultAt('BatchGetItem', frozen, number));
    const workerFaults: FaultSource = (callName) =>
      workers.map((faultOf) => faultOf(callName)).find((fault) => fault !== undefined);
    const world = await openScriptedWorld({}, { workerFaults });
    const { clients, scheduler, ledger } = world;
    const { request, ...client } = clientOf('first');

    await runToEnd(world, async () => {
      await clients.post({ ...client, request: { ...request, mode: 'queued' } });
      await scheduler.pause(45_000);
      expect(ledger.taken).toEqual([]);
      await world.workers.runEachMinute(() => true);
    });

    expect(ledger.taken).toHaveLength(1);
    expect(ledger.violations).toEqual([]);
  });
});

describe('a takeover that fails while its successor is claimed', () => {
  it('keeps its failure in the timeline', async () => {
    const world = await openScriptedWorld({ first: 'never gets it', second: 'refuses' });
    const { clients, scheduler, ledger } = world;
    const frozen = { kind: 'frozen before', delay: exactly(301_500) } as const;
    const slow = { kind: 'slow', delay: exactly(2_000) } as const;

    await runToEnd(world, async () => {
      await clients.post(clientOf('first'));
      await scheduler.pause(293_000);
      void clients.post(clientOf('second', faultAt('UpdateItem SEND', frozen)));
      await scheduler.pause(301_500);
      await clients.post(clientOf('third', faultAt('PutItem SEND', slow, 2)));
    });

    const [send] = ledger.sends.values();
    expect(send).toMatchObject({
      status: 'sent',
      attempt: 3,
      attempts: [
        { attempt: 1, reason: 'Unanswered' },
        { attempt: 2, reason: 'MessageRejected' },
      ],
    });
    expect(ledger.violations).toEqual([]);
  });
});

describe('a send in doubt', () => {
  it.each(['Delivery', 'Bounce', 'Complaint'] as const)(
    'is proven by a %s event just as by a Send event',
    async (type) => {
      const world = await openScriptedWorld({ first: 'accepts without an answer' });
      const { ask, answers, scheduler, ledger } = world;

      await runToEnd(world, async () => {
        await ask('first');
        await tell(world, ledger.taken[0], type);
        await scheduler.pause(301_000);
        await ask('second');
        await tell(world, ledger.taken[0], 'Send');
      });

      expect(answers).toEqual(['provider_outcome_unknown', 'sent m1 replayed']);
      expect(ledger.taken).toHaveLength(1);
      expect(ledger.violations).toEqual([]);
    },
  );

  it("isn't taken over when the pixel of its email was fetched", async () => {
    const world = await openScriptedWorld({ first: 'accepts without an answer' });
    const { ask, answers, scheduler, queue, ledger } = world;

    await runToEnd(world, async () => {
      await ask('first');
      const [taken] = ledger.taken;
      if (taken) await queue.hit(taken, true);
      await scheduler.pause(301_000);
      await ask('second');
      await tell(world, taken, 'Send');
      await ask('third');
    });

    expect(answers).toEqual(['provider_outcome_unknown', 'sent replayed', 'sent m1 replayed']);
    expect(ledger.taken).toHaveLength(1);
    expect(ledger.violations).toEqual([]);
  });

  it('becomes sent, not suppressed, when its address was suppressed before its proof arrived', async () => {
    const world = await openScriptedWorld({ first: 'accepts without an answer' });
    const { ask, answers, scheduler, ledger } = world;

    await runToEnd(world, async () => {
      await ask('first');
      await ask('other', noFaults, 'B');
      await tell(world, ledger.taken[1], 'Send');
      await tell(world, ledger.taken[1], 'Bounce');
      await scheduler.pause(301_000);
      await ask('second');
      await tell(world, ledger.taken[0], 'Send');
      await ask('third');
    });

    expect(answers).toEqual([
      'provider_outcome_unknown',
      'sent m2',
      'provider_outcome_unknown',
      'sent m1 replayed',
    ]);
    expect(ledger.violations).toEqual([]);
  });

  it("isn't taken over while recording its own proof fails, long after its lease", async () => {
    const world = await openScriptedWorld({ first: 'accepts without an answer' });
    const { ask, answers, scheduler, ledger } = world;
    const lost: FaultSource = (callName) =>
      callName.startsWith('BatchGetItem') ? { kind: 'request lost' } : undefined;

    await runToEnd(world, async () => {
      await ask('first');
      await scheduler.pause(299_000);
      const proof = tell(world, ledger.taken[0], 'Send', lost);
      await scheduler.pause(2_000);
      await ask('second');
      await proof;
      await ask('third');
    });

    expect(answers).toEqual(['provider_outcome_unknown', 'sent replayed', 'sent m1 replayed']);
    expect(ledger.taken).toHaveLength(1);
    expect(ledger.violations).toEqual([]);
  });

  it.each(['Send', 'Delivery', 'Bounce', 'Complaint'] as const)(
    "isn't taken over when its %s event can never be recorded, and holds up no other send",
    async (type) => {
      const world = await openScriptedWorld({
        first: 'accepts without an answer',
        other: 'never gets it',
      });
      const { ask, answers, scheduler, ledger } = world;

      await runToEnd(world, async () => {
        await ask('first');
        await ask('other', noFaults, 'B');
        await tell(world, ledger.taken[0], type, noFaults, unreadable);
        await scheduler.pause(301_000);
        await ask('second');
        await ask('other again', noFaults, 'B');
        // Somebody fixes the code, and redrives the dead letters.
        await tell(world, ledger.taken[0], 'Send');
        await ask('third');
      });

      expect(answers).toEqual([
        'provider_outcome_unknown',
        'provider_outcome_unknown',
        'sent replayed',
        'sent m2',
        'sent m1 replayed',
      ]);
      expect(ledger.violations).toEqual([]);
    },
  );

  it("isn't taken over when its proof's handlers die, from the second after they began", async () => {
    const world = await openScriptedWorld({ first: 'accepts without an answer' });
    const { ask, answers, scheduler, ledger } = world;
    const dies: FaultSource = (callName) =>
      callName.startsWith('BatchGetItem') ? { kind: 'dies before' } : undefined;

    await runToEnd(world, async () => {
      await ask('first');
      await scheduler.pause(295_000);
      const proof = tell(world, ledger.taken[0], 'Send', dies);
      await scheduler.pause(6_000);
      await ask('second');
      await proof;
    });

    expect(answers).toEqual(['provider_outcome_unknown', 'sent replayed']);
    expect(ledger.taken).toHaveLength(1);
    expect(ledger.violations).toEqual([]);
  });

  it("isn't proven by a repeated event about a message that SES rejected before", async () => {
    const world = await openScriptedWorld({ second: 'never gets it' }, { rejected: 1 });
    const { ask, answers, scheduler, ledger } = world;

    await runToEnd(world, async () => {
      await ask('first');
      await tell(world, ledger.taken[0], 'Reject');
      await ask('second');
      await tell(world, ledger.taken[0], 'Send', noFaults, unreadable);
      await scheduler.pause(301_000);
      await ask('third');
    });

    expect(answers).toEqual(['sent m1', 'provider_outcome_unknown', 'sent m2']);
    expect(ledger.violations).toEqual([]);
  });

  it('keeps its key when SES refuses the attempt that took over', async () => {
    const world = await openScriptedWorld({
      first: 'accepts without an answer',
      second: 'refuses',
    });
    const { ask, answers, scheduler, ledger } = world;

    await runToEnd(world, async () => {
      await ask('first');
      await scheduler.pause(301_000);
      await ask('second');
      await ask('third');
      await tell(world, ledger.taken[0], 'Send');
      await ask('fourth');
    });

    expect(answers).toEqual([
      'provider_outcome_unknown',
      'provider_outcome_unknown',
      'idempotency_in_progress',
      'sent m1 replayed',
    ]);
    expect(ledger.taken).toHaveLength(1);
    expect(ledger.violations).toEqual([]);
  });
});

describe("a send's second message when the first is rejected", () => {
  it('settles the send, even if its event was read before the rejection', async () => {
    const world = await openScriptedWorld({ first: 'accepts without an answer' }, { rejected: 2 });
    const { ask, answers, scheduler, ledger } = world;
    const frozen = { kind: 'frozen before', delay: exactly(5_000) } as const;

    await runToEnd(world, async () => {
      await ask('first');
      await scheduler.pause(301_000);
      await ask('second');
      const [one, other] = ledger.taken;
      const writing = 'TransactWriteItems SEND MESSAGE DELIVERY';
      const late = tell(world, one, 'Send', faultAt(writing, frozen));
      await scheduler.pause(2_000);
      await tell(world, other, 'Send');
      await tell(world, other, 'Reject');
      await late;
      await ask('third');
    });

    expect(answers).toEqual(['provider_outcome_unknown', 'sent m2', 'sent m1 replayed']);
    expect(ledger.taken).toHaveLength(2);
    expect(ledger.violations).toEqual([]);
  });
});

describe("an expired send's event", () => {
  it('has no effect on the send that takes its key while the event is being read', async () => {
    const retentionMinutes = 20;
    const world = await openScriptedWorld(
      { second: 'never gets it' },
      { retentionDays: retentionMinutes / 1440 },
    );
    const { ask, answers, scheduler, ledger } = world;
    const frozen = { kind: 'frozen after', delay: exactly(5_000) } as const;

    await runToEnd(world, async () => {
      await ask('first');
      await scheduler.pause(retentionMinutes * 60_000 + 1_000);
      const late = tell(world, ledger.taken[0], 'Send', faultAt('Query', frozen));
      await scheduler.pause(2_000);
      await ask('second');
      await late;
      await scheduler.pause(301_000);
      await ask('third');
    });

    expect(answers).toEqual(['sent m1', 'provider_outcome_unknown', 'sent m2']);
    expect(ledger.violations).toEqual([]);
  });
});

describe('a process that dies beside its commit', () => {
  it.each(['dies before', 'dies after'] as const)(
    'leaves the contact to the Send event: it %s the write of the contact',
    async (kind) => {
      const world = await openScriptedWorld({ first: 'accepts' });
      const { clients, ledger, feed } = world;

      await runToEnd(world, async () => {
        await clients.post(clientOf('first', faultAt('UpdateItem CONTACT', { kind })));
        await tell(world, ledger.taken[0], 'Send');
      });

      expect(feed.items().filter(({ sk }) => sk === contactSortKey)).toMatchObject([
        { email: 'ann@example.com' },
      ]);
      expect(ledger.violations).toEqual([]);
    },
  );

  it("leaves the deliveries to the schedule when it didn't wake the queue", async () => {
    const world = await openScriptedWorld({ first: 'accepts' });
    const { clients, ledger } = world;

    await runToEnd(world, async () => {
      await clients.post(clientOf('first', faultAt('wake the queue', { kind: 'dies before' })));
      await tell(world, ledger.taken[0], 'Send');
    });

    const aMinuteLater = world.scheduler.now() + 60_000;
    const due = await Promise.all(
      Array.from({ length: dueDeliveries.shards }, (_, shard) =>
        findDueOwners(world.table, dueDeliveryList, shard, aMinuteLater, undefined),
      ),
    );
    const entries = due.flatMap(({ firstPages }) => firstPages.flatMap(({ page }) => page.entries));
    expect(entries).toHaveLength(1);
    expect(ledger.violations).toEqual([]);
  });
});
