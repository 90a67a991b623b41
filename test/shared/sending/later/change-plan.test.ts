import { describe, expect, it } from 'vitest';
import { listAuditEntries } from '#shared/audit/audit-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { cancelSend, movedTo, moveSend } from '#shared/sending/later/change-plan';
import { contentPlace } from '#shared/sending/later/send-later';
import type { SendToWake } from '#shared/sending/later/send-queue';
import { workersAttempt } from '#shared/sending/later/send-waiting';
import { beginAttempt, getSendInSlot, moveWaiting } from '#shared/sending/later/waiting-store';
import type { Send, WaitingSend } from '#shared/sending/send';
import { freeKey } from '#shared/sending/send-store';
import { expiryAfter } from '#shared/table/expiry';
import {
  freedSlotIdOf,
  newNonce,
  newOrganizationId,
  newWebhookId,
  sendIdOf,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../../../support/api-key-builder.ts';
import { buildClaim, claimSend, claimNow as now } from '../../../support/claim-builder.ts';
import { memoryContents } from '../../../support/memory-contents.ts';
import { openMemoryTable } from '../../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../../support/organization-builder.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { asDue, asWaiting, buildSend, type SendGiven } from '../../../support/send-builder.ts';

const minute = 60_000;
const patienceMs = 3_600_000;
const plan = { patienceMs, retentionDays: 90 };
const waiting = {
  status: 'scheduled',
  attempt: 0,
  dueAt: now,
  giveUpAt: now + patienceMs,
} as const;
const keys = { real: buildApiKey().apiKey, test: buildApiKey({ test: true }).apiKey };

type Planned = Partial<WaitingSend> & {
  /** What the organization's endpoint wants, if it has one. */
  readonly eventTypes?: string[];
};

/** A send that waits, due now unless told, and whoever may change its plan. */
async function planWith({ eventTypes, ...given }: Planned = {}) {
  const organizationId = newOrganizationId();
  const beforeChanges: (() => Promise<unknown>)[] = [];
  const world = {
    /** The SDK gets no answer to a change, and makes it again. */
    isAnswerLost: false,
    contents: memoryContents(),
  };
  const { table } = openMemoryTable({
    intercept: async ({ operation }, run) => {
      if (operation !== 'TransactWriteItems') return run();
      await beforeChanges.shift()?.();
      if (world.isAnswerLost) await run().catch(() => {});
      return run();
    },
  });
  const webhooks = eventTypes ? { [newWebhookId(organizationId)]: { eventTypes } } : {};
  await putOrganization(table, buildOrganization({ id: organizationId, webhooks }));

  const store = async (overrides: SendGiven) => {
    const claimed = await claimSend(table, buildClaim({ organizationId, ...overrides }));
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
    return claimed.send;
  };
  const read = async ({ id }: Pick<Send, 'id'>) => {
    const found = await getSendInSlot(table, slotIdIn(id), now);
    if (found === undefined) throw new Error('gone');
    return found;
  };
  const send = asWaiting(await store({ ...waiting, contentId: newNonce(), ...given }));
  const placeOf = ({ contentId = '' }: Send) => contentPlace(organizationId, contentId);
  await world.contents.put(placeOf(send), {});

  const { log } = recordLog();
  const woken: SendToWake[] = [];
  const wokenWebhooks: unknown[] = [];
  const changing = () => ({
    ...{ table, now: () => now, contents: world.contents, patienceMs, sendRetentionDays: 90 },
    wakeSenders: async (sends: readonly SendToWake[]) => void woken.push(...sends),
    wakeWebhooks: async (deliveries: readonly unknown[]) => void wokenWebhooks.push(...deliveries),
  });
  const caller = { organizationId, actor: keys.real.id, apiKey: keys.real };
  return Object.assign(world, {
    ...{ table, organizationId, send, store, read, caller, woken, wokenWebhooks },
    cancel: (by = caller) => cancelSend({ id: send.id, caller: by }, changing(), log),
    move: (sendAt: number, { id }: Pick<Send, 'id'> = send) =>
      moveSend({ id, caller }, sendAt, changing()),
    beforeNextChange: (act: () => Promise<unknown>) => void beforeChanges.push(act),
    workerBegins: () =>
      beginAttempt(table, send, workersAttempt(asDue(send), buildSend({ claimedAt: now }))),
    stored: () => read(send),
    reported: async () =>
      (await getTimeline(table, send.id, now))?.deliveries.map(({ type }) => type),
    audit: async () => {
      const asked = { limit: 10, before: undefined };
      const { entries } = await listAuditEntries(table, organizationId, asked, now);
      return entries.map(({ action, target, before, after }) => ({
        ...{ action, target },
        ...(before && { before }),
        ...(after && { after }),
      }));
    },
  });
}

describe('a cancellation', () => {
  it('is rejected, and not reported, when a worker was faster', async () => {
    const world = await planWith({ eventTypes: [] });
    world.beforeNextChange(world.workerBegins);

    await expect(world.cancel()).rejects.toMatchObject({ code: 'send_not_waiting' });

    expect(await world.stored()).toMatchObject({ status: 'sending' });
    expect(await world.reported()).toEqual([]);
    expect(await world.audit()).toEqual([]);
  });

  it('ends a send that was moved in between, and may be repeated', async () => {
    const world = await planWith();
    const { send, table } = world;
    world.beforeNextChange(() => moveWaiting(table, send, movedTo(now + minute, send, now, plan)));

    const answers = [await world.cancel(), await world.cancel()];

    const answer = { sendId: send.id, status: 'canceled' };
    expect(answers).toMatchObject([answer, answer]);
    expect((await world.stored()).dueAt).toBeUndefined();
  });

  it('is reported to webhooks and audited once, even if its answer is lost or it is repeated', async () => {
    const world = await planWith({ eventTypes: [] });
    world.isAnswerLost = true;
    await world.cancel();
    world.isAnswerLost = false;

    await world.cancel();

    expect(await world.reported()).toEqual(['email.canceled']);
    expect(world.wokenWebhooks).toMatchObject([{ type: 'email.canceled' }]);
    expect(await world.audit()).toEqual([{ action: 'send.canceled', target: world.send.id }]);
  });

  it('deletes the content before it answers', async () => {
    const world = await planWith();

    await world.cancel();

    expect(world.contents.objects.size).toBe(0);
    expect(world.woken).toHaveLength(1);
  });

  it('has a worker delete the content that it can’t', async () => {
    const world = await planWith();
    world.contents.remove = () => Promise.reject(new Error('S3'));

    await world.cancel();

    expect(await world.stored()).toMatchObject({ status: 'canceled' });
    const look = { slotId: slotIdIn(world.send.id), delayMs: minute };
    expect(world.woken).toEqual([look, look]);
  });

  it('has a worker look at the send a minute later, so its content goes even if the process dies', async () => {
    const world = await planWith();
    world.beforeNextChange(() => Promise.reject(new Error('died')));

    await expect(world.cancel()).rejects.toThrow('died');

    expect(world.woken).toEqual([{ slotId: slotIdIn(world.send.id), delayMs: minute }]);
    expect(await world.audit()).toEqual([]);
  });

  it.each([
    ['a test key', { apiKey: keys.test }],
    ['another organization', { organizationId: newOrganizationId() }],
  ])('of a real email is not found by %s', async (_, others) => {
    const world = await planWith();

    const canceled = world.cancel({ ...world.caller, ...others });

    await expect(canceled).rejects.toMatchObject({ code: 'send_not_found' });
    expect(await world.stored()).toEqual(world.send);
  });

  it('of a test email is allowed for a test key', async () => {
    const world = await planWith({ test: true });

    const canceled = await world.cancel({ ...world.caller, apiKey: keys.test });

    expect(canceled).toMatchObject({ status: 'canceled', test: true });
  });
});

describe('a move', () => {
  it('to another time is reported to webhooks, and wakes a worker for then', async () => {
    const world = await planWith({ eventTypes: [] });

    await world.move(now + minute);

    expect(await world.reported()).toEqual(['email.scheduled']);
    expect(world.wokenWebhooks).toMatchObject([{ type: 'email.scheduled' }]);
    expect(world.woken).toEqual([{ slotId: slotIdIn(world.send.id), delayMs: minute }]);
  });

  it('to each time is reported to webhooks, even a time it had before, but not twice in a row', async () => {
    const world = await planWith({ eventTypes: [] });

    for (const minutes of [1, 2, 1, 1]) await world.move(now + minutes * minute);

    expect(await world.reported()).toEqual([
      'email.scheduled',
      'email.scheduled',
      'email.scheduled',
    ]);
  });

  it.each([[['email.queued']], [[]]])(
    'to now is reported to an endpoint that wants %j',
    async (eventTypes) => {
      const world = await planWith({ eventTypes });

      await world.move(now);

      expect(await world.reported()).toEqual(eventTypes);
    },
  );

  it('is rejected more than 30 days past the send’s creation, and audited when it is made', async () => {
    const world = await planWith();
    const latest = now + 30 * 86_400_000;

    await expect(world.move(latest + 1)).rejects.toMatchObject({ code: 'validation_failed' });
    const answer = await world.move(latest);

    expect(answer).toMatchObject({ status: 'scheduled', sendAt: latest });
    expect(await world.audit()).toEqual([
      { action: 'send.moved', target: world.send.id, before: {}, after: { sendAt: latest } },
    ]);
  });
});

describe('a move of a send that uses a freed key', () => {
  const expiresAt = expiryAfter(now, 90);
  const keptUntil = expiryAfter(now + minute, 90);
  const modeOf = (isTest: boolean) => (isTest ? ({ test: true } as const) : {});

  /** The send that had the key first, and the one that has it since, which waits. */
  async function freedKey(world: Awaited<ReturnType<typeof planWith>>, isTest = false) {
    const slotId = slotIdOf(world.organizationId, 'freed', { isTest });
    const ofKey = () => ({
      ...{ id: sendIdOf(slotId, newNonce()), idempotencyKey: 'freed', expiresAt },
      ...modeOf(isTest),
    });
    const origin = await world.store({ ...ofKey(), status: 'suppressed' });
    await freeKey(world.table, { origin, send: origin }, undefined);
    const send = await world.store({ ...ofKey(), ...waiting });
    return { origin, send };
  }

  it.each([false, true])('keeps the key as long, not its namesake (test: %s)', async (isTest) => {
    const world = await planWith();
    const [own, namesake] = [await freedKey(world, isTest), await freedKey(world, !isTest)];

    await world.move(now + minute, own.send);

    expect((await world.read(own.origin)).expiresAt).toBe(keptUntil);
    expect((await world.read(namesake.origin)).expiresAt).toBe(expiresAt);
  });

  it('keeps the key before it moves the send', async () => {
    const world = await planWith();
    const { origin, send } = await freedKey(world);
    world.beforeNextChange(() => Promise.reject(new Error('died')));

    await expect(world.move(now + minute, send)).rejects.toThrow('died');

    expect((await world.read(origin)).expiresAt).toBe(keptUntil);
    expect(await world.read(send)).toEqual(send);
  });

  it('leaves another send that has taken the key alone', async () => {
    const world = await planWith();
    const { organizationId } = world;
    const slotId = slotIdOf(organizationId, 'freed', { isTest: false });
    const other = await world.store({
      ...{ id: sendIdOf(slotId, newNonce()), idempotencyKey: 'freed', expiresAt },
    });
    const send = await world.store({
      ...{ id: sendIdOf(freedSlotIdOf(other.id, 1), newNonce()), idempotencyKey: 'freed' },
      ...{ ...waiting, expiresAt },
    });

    await world.move(now + minute, send);

    expect((await world.read(send)).expiresAt).toBe(keptUntil);
    expect(await world.read(other)).toEqual(other);
  });
});
