import { describe, expect, it } from 'vitest';
import { putOrganization } from '#shared/organizations/organization-store';
import { getSend } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import { keyOf } from '#shared/sending/send-items';
import { recordFailure } from '#shared/sending/send-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { recordOrMark } from '../../../functions/record-provider-event/record-or-mark.ts';
import { buildClaim, claimSend } from '../../support/claim-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import type { TableCall } from '../../support/memory-table/table-call.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { patience } from '../../support/patience.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { leaseMs } from '../../support/send-builder.ts';
import { buildSesEvent, buildSesMail, type SesEventType } from '../../support/ses-event-builder.ts';

const startAt = 1_750_000_000_000;
const leaseEnd = startAt + leaseMs;

const { log } = recordLog();

/** Two sends in doubt of one organization, on a table whose writes fail while `isDown` says so. */
async function openWorld() {
  let isDown = (_operation: string): boolean => false;
  const calls: TableCall[] = [];
  const { table } = openMemoryTable({
    intercept: async (call, run) => {
      calls.push(call);
      await before(call);
      if (isDown(call.operation)) throw new Error('the table does not answer');
      return run();
    },
  });
  let before: (call: TableCall) => Promise<unknown> = async () => {};
  const organizationId = newOrganizationId();
  await putOrganization(table, buildOrganization({ id: organizationId }));
  const claimOf = (idempotencyKey: string, claimedAt = startAt) =>
    buildClaim({ organizationId, claimedAt, idempotencyKey });
  const [poisoned, other] = [claimOf('poisoned'), claimOf('other')];
  for (const send of [poisoned, other]) await claimSend(table, send);
  return {
    table,
    poisoned,
    other,
    claimOf,
    calls,
    recording: { table, now: () => startAt + 1_000, sendRetentionDays: 90 },
    beforeEachCall: (act: (call: TableCall) => Promise<unknown>) => {
      before = act;
    },
    failOn: (fails: (operation: string) => boolean) => {
      isDown = fails;
    },
    existing: ({ feedbackId }: Send) => getSend(table, feedbackId, startAt),
  };
}

const eventOf = (type: SesEventType, { feedbackId }: Send, messageId = 'message-1') =>
  buildSesEvent(type, { mail: buildSesMail({ messageId, tags: { 'feedback-id': [feedbackId] } }) });

/** An event that no code can record. Only what names its send is as it should be. */
const malformedEventOf = (send: Send, type = 'Send') => ({
  eventType: type,
  mail: {
    timestamp: 'tomorrow',
    messageId: 'message-1',
    tags: { 'feedback-id': [send.feedbackId] },
    headers: 'none',
  },
});

const failing = (work: Promise<unknown>) => expect(work).rejects.toThrow();

describe('an event that can never be recorded', () => {
  it('keeps only its own send from being taken over', async () => {
    const { table, recording, poisoned, other, claimOf } = await openWorld();

    await failing(recordOrMark(malformedEventOf(poisoned), false, recording, log));

    const own = await claimSend(table, claimOf('poisoned', leaseEnd));
    expect(own).toEqual({ kind: 'replay', response: { sendId: poisoned.id, status: 'sent' } });
    const others = await claimSend(table, claimOf('other', leaseEnd));
    expect(others).toMatchObject({ kind: 'claimed', send: { id: other.id, attempt: 2 } });
  });

  it('marks its send even as a Reject, as SES took the email before rejecting it', async () => {
    const { recording, poisoned, existing } = await openWorld();

    await failing(recordOrMark(malformedEventOf(poisoned, 'Reject'), false, recording, log));

    expect(await existing(poisoned)).toHaveProperty('provenAt');
  });

  it.each([
    ['without a message id', { messageId: 7 }],
    ['with its send in a header only', { tags: 'none' }],
  ])('marks its send %s', async (_what, changed) => {
    const { recording, poisoned, existing } = await openWorld();
    const event = malformedEventOf(poisoned);
    const headers = [{ name: 'Feedback-ID', value: `${poisoned.feedbackId}:org:ses` }];
    const mail = { ...event.mail, headers, ...changed };

    await failing(recordOrMark({ ...event, mail }, false, recording, log));

    expect(await existing(poisoned)).toHaveProperty('provenAt');
  });

  it('from the retry queue marks its send before it crashes a process', async () => {
    const { recording, poisoned, existing, beforeEachCall } = await openWorld();
    const neverEnds = new Promise<never>(() => {});
    beforeEachCall(async ({ operation }) => operation === 'BatchGetItem' && neverEnds);

    void recordOrMark(eventOf('Send', poisoned), true, recording, log);

    await expect
      .poll(() => existing(poisoned), patience)
      .toMatchObject({ provenAt: startAt + 1_000 });
  });
});

describe('a mark', () => {
  it('is replaced by the event once that is recorded', async () => {
    const { recording, failOn, poisoned, existing } = await openWorld();
    failOn((operation) => operation === 'BatchGetItem');
    await failing(recordOrMark(eventOf('Send', poisoned), false, recording, log));
    failOn(() => false);

    await recordOrMark(eventOf('Send', poisoned), true, recording, log);

    const send = await existing(poisoned);
    expect(send).toMatchObject({ status: 'sent', providerMessageId: 'message-1' });
    expect(send).not.toHaveProperty('provenAt');
  });

  it("isn't made for an event type that proves nothing", async () => {
    const { recording, poisoned, existing } = await openWorld();

    await recordOrMark(malformedEventOf(poisoned, 'Rendering Failure'), true, recording, log);

    expect(await existing(poisoned)).not.toHaveProperty('provenAt');
  });

  it("isn't made for a rejected message that is reported again during the next attempt", async () => {
    const { table, recording, poisoned, existing, claimOf } = await openWorld();
    await recordOrMark(eventOf('Reject', poisoned), false, recording, log);
    const next = await claimSend(table, claimOf('poisoned', startAt + 2_000));
    if (next.kind !== 'claimed') throw new Error('there is no next attempt');

    await failing(recordOrMark(malformedEventOf(poisoned), true, recording, log));

    expect(await existing(poisoned)).not.toHaveProperty('provenAt');
    const outcome = await recordFailure(table, next.send, 'MessageRejected', startAt + 3_000);
    expect(outcome).toBe('failed');
  });

  it("isn't made for a message that is rejected and retried while the mark is on its way", async () => {
    const { table, recording, poisoned, existing, claimOf, beforeEachCall } = await openWorld();
    beforeEachCall(async ({ operation }) => {
      if (operation !== 'UpdateItem') return;
      beforeEachCall(async () => {});
      await recordOrMark(eventOf('Reject', poisoned), false, recording, log);
      await claimSend(table, claimOf('poisoned', startAt + 2_000));
    });

    await failing(recordOrMark(malformedEventOf(poisoned), false, recording, log));

    expect(await existing(poisoned)).toMatchObject({ status: 'sending', attempt: 2 });
    expect(await existing(poisoned)).not.toHaveProperty('provenAt');
  });

  it("that can't be written is logged, and the event fails as before", async () => {
    const { recording, failOn, poisoned } = await openWorld();
    failOn(() => true);
    const { log, lines } = recordLog();

    const work = recordOrMark(eventOf('Send', poisoned), true, recording, log);

    await expect(work).rejects.toThrow('the table does not answer');
    expect(lines.map(({ message }) => message)).toEqual([
      'provider event read',
      'send of an unrecorded event not marked',
      'provider event not recorded',
    ]);
  });

  it("isn't written for an event that is recorded at once", async () => {
    const { recording, calls, poisoned } = await openWorld();
    calls.length = 0;

    await recordOrMark(eventOf('Send', poisoned), false, recording, log);

    const { pk } = keyOf(poisoned);
    const updates = calls.filter(
      ({ operation, input }) => operation === 'UpdateItem' && input.Key?.['pk']?.S === pk,
    );
    expect(updates).toHaveLength(1);
  });
});
