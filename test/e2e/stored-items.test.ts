import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { sendKey } from '#shared/table/send-keys';
import { organizationIdSchema, sendIdSchema, slotIdIn } from '#shared/tokens/resource-id';
import { operatorSecret } from '../support/faulty-aws.ts';
import { useOrganizationAtWork } from '../support/organization-at-work.ts';
import { itemsOf, keysHolding } from '../support/organization-items.ts';
import { buildSesEvent, buildSesMail, tagsOf } from '../support/ses-event-builder.ts';
import { allItems, fixtureSchema, listShape, storySecrets } from '../support/stored-story.ts';

/*
 * What 1.0.0 and each later version with a new kind of item stored, as their own operations wrote it
 * (`freeze-items.test.ts`). It never changes: each version after must read it, go on with it, and forget it.
 */
const fixtures = join(import.meta.dirname, 'fixtures');
const service = await useOrganizationAtWork(...storySecrets);
const clock = vi.spyOn(Date, 'now');

const messagesSchema = z.object({
  messages: z.array(z.object({ providerMessageId: z.string() })),
});
const listedSends = z.object({ data: z.array(z.object({ _id: z.string() })) });
const item = z.looseObject({ pk: z.string(), sk: z.string() });

describe.each(readdirSync(fixtures))('what is in %s', (file) => {
  const [first = '', ...lines] = readFileSync(join(fixtures, file), 'utf8').trim().split('\n');
  const { frozenAt, listed, ...story } = fixtureSchema.parse(JSON.parse(first));
  const { keys, sends, links, organizationId, templateId, webhookId } = story;
  const organization = organizationIdSchema.parse(organizationId);
  const items = lines.map((line) => item.parse(JSON.parse(line)));
  const as = (method: string, path: string, body?: unknown, headers = {}) =>
    service.call(method, path, { key: keys.manage, body, headers });
  const operate = (method: string, path: string) =>
    service.call(method, path, { key: null, headers: { 'x-operator-secret': operatorSecret } });
  const send = async (fields: object, idempotencyKey?: string, key = keys.send) =>
    service.call('POST', '/api/v1/emails/send', {
      key,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      body: { subject: 'Hello', content: 'Hello', ...fields },
    });
  const read = (name: string) => as('GET', `/api/v1/sends/${sends[name]}`);

  beforeEach(async () => {
    const startedAt = performance.now();
    clock.mockImplementation(() => Math.floor(frozenAt + performance.now() - startedAt));
    const { table } = service;
    const left = (await allItems(table)).map(({ pk, sk }) => ({ Key: { pk, sk } }));
    await write(left.map((DeleteRequest) => ({ DeleteRequest })));
    await write(items.map((Item) => ({ PutRequest: { Item } })));
  });

  it.each([
    ['delivered', 'sent', ['sent', 'delivered', 'opened', 'clicked']],
    ['bounced', 'sent', ['sent', 'bounced']],
    ['complained', 'sent', ['sent', 'delivered', 'complained']],
    ['softBounced', 'sent', ['sent', 'delivered', 'bounced']],
    ['copied', 'sent', ['sent', 'delivered', 'delayed']],
    ['global', 'sent', ['sent', 'delivered']],
    ['twice', 'sent', ['sent', 'delivered', 'sent', 'delivered']],
    ['tested', 'sent', ['sent', 'delivered', 'complained']],
    ['suppressed', 'suppressed', []],
    ['scheduled', 'scheduled', []],
    ['queued', 'queued', []],
    ['canceled', 'canceled', []],
  ])('is read: a send that is %s', async (name, status, types) => {
    const timeline = z.object({
      send: z.object({ status: z.string() }),
      events: z.array(z.object({ type: z.string() })),
    });

    const { send: found, events } = timeline.parse(await read(name));

    expect(found.status).toBe(status);
    expect(events.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
  });

  it.each(Object.entries(listed))('is listed: %s', async (path, count) => {
    const { data } = listShape.parse(await as('GET', path));

    expect(data).toHaveLength(count);
  });

  it('is replayed: a request with the idempotency key of a send', async () => {
    const htmlContent = '<p><a href="https://example.com/start">Start</a></p>';
    const email = { to: 'ann@example.com', policyKey: 'newsletter', htmlContent };

    const answer = await send(
      { ...email, tags: { kind: 'news' }, metadata: { n: 1 } },
      'delivered',
    );

    expect(answer).toMatchObject({ sendId: sends['delivered'], status: 'sent', reused: true });
  });

  it('is settled: by the late event of a send in doubt', async () => {
    const { data } = listedSends.parse(await as('GET', '/api/v1/sends?to=doubt@example.com'));
    const doubt = () => as('GET', `/api/v1/sends/${data[0]?._id}`);

    expect(await doubt()).toMatchObject({ send: { status: 'sending' } });
    await service.receiveProviderEvent(story.lateEvent);

    expect(await doubt()).toMatchObject({ send: { status: 'sent' }, events: [{ type: 'sent' }] });
  });

  it('continues: a permanent bounce is listed by its own time, once, after a soft one', async () => {
    const id = sends['softBounced'];
    const { messages } = messagesSchema.parse(await read('softBounced'));
    const at = Date.now() + 60_000;
    const list = async (query: string) =>
      listedSends.parse(await as('GET', `/api/v1/sends?${query}`)).data.map(({ _id }) => _id);

    expect(await list('outcome=soft_bounced')).toEqual([id]);
    await service.receiveProviderEvent(
      buildSesEvent('Bounce', {
        mail: buildSesMail({
          messageId: messages[0]?.providerMessageId,
          tags: tagsOf(id),
        }),
        bounce: {
          bounceType: 'Permanent',
          bounceSubType: 'General',
          bouncedRecipients: [{ emailAddress: 'ooto@simulator.amazonses.com' }],
          timestamp: new Date(at).toISOString(),
        },
      }),
    );

    expect(await list(`outcome=bounced&from=${at}`)).toEqual([id]);
    expect(await list('outcome=soft_bounced,bounced')).toEqual([id, sends['bounced']]);
    expect(await list('outcome=soft_bounced')).toEqual([]);
    expect(await list(`outcome=soft_bounced,bounced&until=${at}`)).toEqual([sends['bounced']]);
  });

  it('continues: later sends are moved and canceled', async () => {
    const sendAt = Date.now() + 7_200_000;

    await as('PATCH', `/api/v1/sends/${sends['scheduled']}`, { sendAt });
    await as('POST', `/api/v1/sends/${sends['queued']}/cancel`);

    expect(await read('scheduled')).toMatchObject({ send: { status: 'scheduled', sendAt } });
    expect(await read('queued')).toMatchObject({ send: { status: 'canceled' } });
  });

  it.each([
    ['deliveries', 'retry-due-webhooks', 'DUE#'],
    ['domains', 'check-identities', 'DUE_IDENTITIES'],
    ['later sends', 'run-send-queue', 'WAITING#'],
  ] as const)(
    'continues: %s are found by their worker when they are due',
    async (_what, worker, partition) => {
      const tomorrow = Date.now() + 86_400_000;
      const waiting = async () =>
        (await allItems(service.table)).filter(({ gsi1pk }) => `${gsi1pk}`.startsWith(partition));
      const before = await waiting();
      clock.mockImplementation(() => tomorrow);

      await service.invoke(worker, { scheduledRun: true });

      expect(before).not.toEqual([]);
      expect(await waiting()).not.toEqual(before);
    },
  );

  it('continues: keys, templates and suppressions apply to new sends', async () => {
    const body = { subject: undefined, content: undefined, templateId };

    const sent = await send({ to: 'new@example.com', ...body, variables: { name: 'Ann' } });
    const suppressed = [];
    for (const to of ['bounce@simulator.amazonses.com', 'manual@example.com', 'csv@example.com']) {
      suppressed.push(await send({ to }));
    }

    expect(sent).toMatchObject({ status: 'sent' });
    expect(suppressed).toMatchObject(suppressed.map(() => ({ status: 'suppressed' })));
    expect(await send({ to: 'a@example.com' }, undefined, keys.test)).toMatchObject({ test: true });
    await as('POST', `/api/v1/templates/${templateId}/publish`, {});
    expect(await as('GET', `/api/v1/templates/${templateId}`)).toMatchObject({
      subject: 'A draft for {{name}}',
      versions: expect.arrayContaining([expect.objectContaining({ version: 1 })]),
    });
  });

  it('continues: links in emails, a session and a sign-in link work', async () => {
    const anybody = (method: string, path: string, body?: unknown, headers = {}) =>
      service.call(method, path, { key: null, body, headers });

    await anybody('GET', links.click);
    await anybody('GET', links.preferences);
    await anybody('POST', links.unsubscribe);
    const session = await anybody('GET', '/console/session', undefined, { cookie: story.cookie });
    await anybody('POST', '/console/session', { link: story.signInLink });

    expect(session).toMatchObject({ organization: { id: organizationId } });
  });

  it('continues: due deliveries, notices and domains are processed', async () => {
    const path = `/api/v1/webhooks/${webhookId}/deliveries`;
    const deliveries = z.object({ data: z.array(z.looseObject({ id: z.string() })) });
    const latest = async () => deliveries.parse(await as('GET', path)).data[0];
    const before = await latest();
    await as('POST', `/api/v1/webhooks/deliveries/${before?.id}/redeliver`);

    await service.invoke('retry-due-webhooks', { scheduledRun: true });
    await service.invoke('send-notices', { scheduledRun: true });
    await service.invoke('check-identities', { scheduledRun: true });

    expect(await latest()).not.toEqual(before);
  });

  it('is counted: months continue from their totals, and the same change counts once', async () => {
    const usage = z.object({ total: z.object({ sends: z.int() }) });
    const sendsCounted = async () => usage.parse(await as('GET', '/api/v1/usage')).total.sends;
    const before = await sendsCounted();
    const { pk, sk } = sendKey(slotIdIn(sendIdSchema.parse(sends['delivered'])));
    const image = items.find((found) => found.pk === pk && found.sk === sk);
    const { providerMessageId, ...old } = item.parse(image);
    const record = {
      dynamodb: {
        SequenceNumber: '9000',
        Keys: marshall({ pk, sk }),
        OldImage: marshall({ ...old, status: 'sending' }),
        NewImage: marshall(image),
      },
    };

    for (let times = 0; times < 2; times += 1) {
      await service.invoke('count-usage', { shardId: 'shard-1', Records: [record] });
    }

    expect(before).toBeGreaterThan(0);
    expect(await sendsCounted()).toBe(before + 1);
  });

  it.each(['ann', 'dan', 'hal', 'eve', 'manual'])('is erased: %s', async (name) => {
    await as('DELETE', `/api/v1/contacts/${name}@example.com?sends=true`);

    expect(await keysHolding(service.table, organization, `${name}@example.com`)).toEqual([]);
  });

  it('is purged: nothing is left of deleted organizations', async () => {
    await operate('DELETE', `/api/v1/organizations/${organizationId}?name=Example%20Ltd`);
    const now = Date.now();
    clock.mockImplementation(() => now + 3_700_000);
    await service.invoke('check-identities', { scheduledRun: true });

    await service.invoke('purge-organizations', { scheduledRun: true });

    // What expires is left to DynamoDB.
    for (const id of [organizationId, story.deletedId]) {
      const left = await itemsOf(service.table, organizationIdSchema.parse(id));
      expect(left.filter(({ expiresAt }) => expiresAt === undefined)).toEqual([]);
    }
  });
});

type Write = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

async function write(writes: readonly Write[]): Promise<void> {
  const { client, name } = service.table;
  for (let next = 0; next < writes.length; next += 25) {
    const RequestItems = { [name]: writes.slice(next, next + 25) };
    await client.send(new BatchWriteCommand({ RequestItems }));
  }
}
