import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry, settledAfterMs } from '#shared/audit/audit-store';
import { newSessionId, personalKeyIdOf } from '#shared/tokens/resource-id';
import { type Delivery, deliverySchema } from '#shared/webhook-deliveries/delivery';
import { idIn } from '#shared/webhook-deliveries/delivery-store';
import { reportAudit } from '#shared/webhook-deliveries/report-audit';
import { registerWebhook, removeWebhook, updateWebhook } from '#shared/webhooks/change-webhooks';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { callerWith } from '../../support/manager-builder.ts';
import { openPeople } from '../../support/people.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type Settings = Parameters<typeof registerWebhook>[0]['body'];

const settings: Settings = {
  url: 'https://siem.example.com/audit',
  eventTypes: ['audit.recorded'],
  tags: [],
  templates: [],
  description: '',
};

/** An organization, and a webhook that gets its audit. */
async function prepare(body: Partial<Settings> = {}) {
  const account = await openPeople();
  const { table, clock, organizationId, apiKey } = account;
  const caller = { ...account.caller, session: undefined };
  const changing = { ...account, urlPolicy: { allowLoopbackHttp: false } };
  const failures: unknown[] = [];
  const subscribe = (given: Partial<Settings> = {}) =>
    registerWebhook({ caller, body: { ...settings, ...given } }, changing);
  const webhook = await subscribe(body);
  const path = { id: webhook.id };
  const run = (budgetMs = 5_000) =>
    reportAudit(clock.at + budgetMs, {
      ...{ table, now: account.now, sendRetentionDays: 90 },
      reportFailure: (_id, error) => failures.push(error),
    });
  /** A change dated `at`, stored now. */
  const record = async (name: string, at = clock.at) => {
    const change = { action: 'template.updated', target: name };
    await appendAuditEntry(table, newAuditEntry(organizationId, apiKey.id, change, at));
  };
  /** Runs once all that was recorded so far is settled. */
  const settle = async () => {
    clock.at += settledAfterMs + 1;
    return run();
  };
  const deliveries = (): Delivery[] =>
    account
      .items()
      .filter((item) => item['type'] === 'audit.recorded')
      .map((item) => deliverySchema.parse({ ...item, id: idIn(item) }));
  const dataOf = ({ body: text }: Delivery) => JSON.parse(text).data;
  return {
    ...{
      ...account,
      caller,
      webhook,
      deleteOrganization: account.remove,
      failures,
      run,
      record,
      settle,
      subscribe,
      deliveries,
      dataOf,
    },
    update: (changes: Parameters<typeof updateWebhook>[0]['body']) =>
      updateWebhook({ caller, path, body: changes }, changing),
    remove: () => removeWebhook({ caller, path }, changing),
    /** What entries were about, to one webhook. */
    targets: (id = webhook.id) =>
      deliveries()
        .filter(({ webhookId }) => webhookId === id)
        .map((one) => dataOf(one).target),
  };
}

describe('the audit in webhooks', () => {
  it('is what the API lists, with the person and the session', async () => {
    const { organizationId, table, clock, invite, settle, deliveries, dataOf } = await prepare();
    await invite('ann@example.com', 'developer');
    const key = personalKeyIdOf(organizationId, 'ann@example.com');
    const session = newSessionId(organizationId);
    const change = { action: 'template.updated', target: 'tpl', before: { a: 1 }, after: { a: 2 } };
    const actor = { key, session, isPerson: true } as const;
    const entry = newAuditEntry(organizationId, actor, change, clock.at);
    await appendAuditEntry(table, entry);

    await settle();

    const { isPerson: _, ...shown } = entry;
    const found = deliveries().find((one) => dataOf(one).id === entry.id);
    expect(JSON.parse(found?.body ?? '')).toEqual({
      type: 'audit.recorded',
      timestamp: new Date(entry.at).toISOString(),
      data: { ...shown, person: 'ann@example.com' },
    });
    expect(found).toMatchObject({ status: 'pending', dueAt: clock.at, createdAt: clock.at });
  });

  it('begins with the subscription, without what was before', async () => {
    const world = await prepare({ eventTypes: [] });
    await world.record('earlier');
    world.clock.at += 1;
    await world.update({ eventTypes: ['audit.recorded', 'email.sent'] });
    world.clock.at += 1;
    await world.record('later');

    await world.settle();

    expect(world.targets()).toEqual(expect.arrayContaining([world.webhook.id, 'later']));
    expect(world.targets()).toHaveLength(2);
  });

  it('has each entry once, whatever order entries come in within the lag', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            late: fc.integer({ min: 0, max: settledAfterMs - 1 }),
            pause: fc.integer({ min: 0, max: settledAfterMs }),
            runs: fc.boolean(),
          }),
          { maxLength: 12 },
        ),
        async (writes) => {
          const world = await prepare();
          world.clock.at += settledAfterMs;
          for (const [index, { late, pause, runs }] of writes.entries()) {
            world.clock.at += pause;
            await world.record(`${index}`, world.clock.at - late);
            if (runs) await world.run();
          }
          await world.settle();

          const expected = writes.map((_, index) => `${index}`);
          expect(world.targets().sort()).toEqual([world.webhook.id, ...expected].sort());
          expect(world.failures).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('leaves out what was recorded while the webhook didn’t get it', async () => {
    const world = await prepare();
    await world.record('before');
    await world.settle();
    await world.update({ enabled: false });
    world.clock.at += 1;
    await world.record('while disabled');
    await world.settle();
    await world.update({ enabled: true });
    world.clock.at += 1;
    await world.record('after');

    await world.settle();

    expect(world.targets()).toEqual(expect.arrayContaining(['before', 'after']));
    expect(world.targets()).not.toContain('while disabled');
    expect(new Set(world.deliveries().map(({ id }) => id)).size).toBe(world.deliveries().length);
  });

  it('goes to each webhook from its own beginning', async () => {
    const world = await prepare();
    await world.record('first');
    world.clock.at += 1;
    const second = await world.subscribe();
    world.clock.at += 1;
    await world.record('second');

    await world.settle();

    expect(world.targets()).toEqual(
      expect.arrayContaining(['first', 'second', world.webhook.id, second.id]),
    );
    expect(world.targets(second.id)).toEqual(expect.arrayContaining(['second', second.id]));
    expect(world.targets(second.id)).toHaveLength(2);
  });

  it('is read on by the next run when there is too much for one', async () => {
    const world = await prepare();
    for (let count = 0; count < 120; count += 1) await world.record(`${count}`);
    world.clock.at += settledAfterMs + 1;

    const none = await world.run(0);
    const all = await world.run();

    expect([none, all]).toEqual([0, 121]);
  });

  it('ends with the webhook, and with the organization', async () => {
    const world = await prepare();
    const other = await world.subscribe();
    await world.settle();
    const before = world.targets().length;
    await world.remove();
    await world.settle();
    const kept = world.targets(other.id).length;
    await world.deleteOrganization();

    await world.settle();

    expect(world.targets()).toHaveLength(before);
    expect(world.targets(other.id)).toHaveLength(kept);
  });

  it.each<Partial<Settings>>([{ eventTypes: [] }, { tags: ['kind:reset'] }])(
    'isn’t for a webhook with %o, and costs such a deployment one read',
    async (body) => {
      const world = await prepare(body);
      await world.record('any');
      world.clock.at += settledAfterMs + 1;

      const calls = await world.callsOf(() => world.run());

      expect(world.deliveries()).toEqual([]);
      expect(calls).toEqual(['Query']);
    },
  );

  it('costs two reads, and no write, while nothing happens', async () => {
    const world = await prepare();
    await world.settle();

    const calls = await world.callsOf(() => world.settle());

    expect(calls.sort()).toEqual(['BatchGetItem', 'Query', 'Query']);
  });

  it('doesn’t feed itself: deliveries leave no entry', async () => {
    const world = await prepare();
    const before = await world.audit();
    await world.settle();

    const filed = [await world.settle(), await world.settle()];

    expect(filed).toEqual([0, 0]);
    expect(await world.audit()).toEqual(before);
  });
});

describe('a caller without manage_organization', () => {
  const refusalOf = async (change: (world: Awaited<ReturnType<typeof prepare>>) => unknown) => {
    const world = await prepare();
    return serviceErrorOf(async () => change(world));
  };
  const developerIn = ({ organizationId, caller }: Awaited<ReturnType<typeof prepare>>) => ({
    ...caller,
    ...callerWith(buildApiKey({ organizationId, scopes: ['webhooks_manage'] }).apiKey),
  });

  it('can’t have the audit sent to a webhook', async () => {
    const error = await refusalOf((world) =>
      registerWebhook(
        { caller: developerIn(world), body: settings },
        { ...world, urlPolicy: { allowLoopbackHttp: false } },
      ),
    );

    expect(error.code).toBe('missing_scope');
  });

  it.each([
    { url: 'https://evil.example/hook' },
    { eventTypes: ['audit.recorded' as const] },
    { enabled: true },
  ])('can’t change a webhook that gets the audit: %o', async (body) => {
    const error = await refusalOf((world) =>
      updateWebhook(
        { caller: developerIn(world), path: { id: world.webhook.id }, body },
        { ...world, urlPolicy: { allowLoopbackHttp: false } },
      ),
    );

    expect(error.code).toBe('missing_scope');
  });

  it('can disable it, and end that it gets the audit', async () => {
    const world = await prepare();
    const change = { caller: developerIn(world), path: { id: world.webhook.id } };
    const changing = { ...world, urlPolicy: { allowLoopbackHttp: false } };

    await updateWebhook({ ...change, body: { enabled: false } }, changing);
    const after = await updateWebhook(
      { ...change, body: { eventTypes: ['email.sent'] } },
      changing,
    );

    expect(after).toMatchObject({ eventTypes: ['email.sent'], disabled: { reason: 'by_owner' } });
  });
});
