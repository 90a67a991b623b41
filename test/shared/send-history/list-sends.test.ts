import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { listSends } from '#shared/send-history/list-sends';
import { reportedOutcomes } from '#shared/send-history/listed-outcomes';
import { firstAttributes } from '#shared/send-history/outcome';
import { storeSendEvent } from '#shared/send-history/send-event-store';
import { listedAt } from '#shared/send-history/send-list-store';
import type { Send } from '#shared/sending/send';
import { toSendItem } from '#shared/sending/send-items';
import { listAsDoubtful } from '#shared/sending/send-store';
import { maxRead } from '#shared/table/entry-search';
import { providerMessageIndexKey } from '#shared/table/send-keys';
import {
  newApiKeyId,
  newNonce,
  newOrganizationId,
  newTemplateId,
  type OrganizationId,
  sendIdOf,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/list-sends/list-sends.ts';
import { placeOf } from '../../support/cursor-reader.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildSend } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { webhookNow } from '../webhooks/webhook-builder.ts';

const reportOf = {
  bounced: { type: 'bounced', reason: 'Permanent/General' },
  soft_bounced: { type: 'bounced', reason: 'Transient/General' },
  complained: { type: 'complained' },
  delayed: { type: 'delayed' },
} as const;

/** A table that holds these sends and their events, and counts the sends that are read. */
async function storeOf(sends: readonly Send[]) {
  const counts = { sends: 0 };
  const { table } = openMemoryTable({
    intercept: async (call, run) => {
      if (call.operation === 'BatchGetItem') {
        counts.sends += call.input.RequestItems?.[table.name]?.Keys?.length ?? 0;
      }
      return run();
    },
  });
  for (const send of sends) {
    const { providerMessageId: message } = send;
    const Item = { ...toSendItem(send), ...(message && providerMessageIndexKey(message)) };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    for (const outcome of reportedOutcomes) {
      const ts = send[firstAttributes[outcome]];
      const event = { ...reportOf[outcome], providerMessageId: `message-${outcome}` };
      if (ts !== undefined) await storeSendEvent(table, send, { ...event, ts });
    }
  }
  return { table, counts };
}

const manager = buildManager();
const { organizationId, caller, now } = manager;
const idsOf = (found: readonly Send[]) => found.map(({ id }) => id);
const at = (minutesAgo: number) => webhookNow - minutesAgo * 60_000;
const sendAt = (minutesAgo: number, send: Partial<Send> = {}, owner = organizationId) =>
  buildSend({
    id: idIn(owner, send),
    claimedAt: at(minutesAgo),
    status: 'sent',
    ...send,
  });

const idIn = (owner: OrganizationId, { idempotencyKey, test }: Partial<Send>) =>
  sendIdOf(slotIdOf(owner, idempotencyKey, { isTest: test === true }), newNonce());

const key = newApiKeyId(organizationId);
const template = newTemplateId(organizationId);
const sends = [
  sendAt(0, { status: 'sending' }),
  sendAt(1, { toEmail: 'ben@example.org', apiKeyId: key }),
  sendAt(2, { status: 'suppressed', templateId: template }),
  sendAt(3, { toEmail: 'ben@example.org', status: 'failed' }),
  sendAt(9, { status: 'sending' }),
];
const foreign = sendAt(2, {}, newOrganizationId());

/** Most tests only read. */
const stored = await storeOf([...sends, foreign]);
for (const send of sends) await listAsDoubtful(stored.table, send);

const run = (query: Record<string, string>, { table } = stored) =>
  listSends({ caller, query: endpoint.query.parse(query) }, { table, now });
const placesIn = (among: readonly Send[], found: readonly Send[]) =>
  found.map(({ id }) => among.findIndex((one) => one.id === id));
const shownIn = (found: readonly Send[]) => placesIn(sends, found);

describe('listSends', () => {
  it.each([
    { query: {}, shown: [0, 1, 2, 3, 4] },
    { query: { limit: '2' }, shown: [0, 1] },
    { query: { to: 'Ben@Example.org' }, shown: [1, 3] },
    { query: { to: 'nobody@example.org' }, shown: [] },
    { query: { from: `${at(2)}` }, shown: [0, 1, 2] },
    { query: { until: `${at(2)}` }, shown: [3, 4] },
    { query: { from: `${at(3)}`, until: `${at(1)}` }, shown: [2, 3] },
    { query: { status: 'suppressed' }, shown: [2] },
    { query: { status: 'sending' }, shown: [0] },
    { query: { outcome: 'suppressed' }, shown: [2] },
    { query: { outcome: 'sent' }, shown: [1] },
    { query: { outcome: 'failed' }, shown: [3, 4] },
    { query: { outcome: 'suppressed,failed' }, shown: [3, 2, 4] },
    { query: { template }, shown: [2] },
    { query: { key }, shown: [1] },
    { query: { key, to: 'ben@example.org', from: `${at(2)}` }, shown: [1] },
    { query: { key: newApiKeyId(newOrganizationId()) }, shown: [] },
  ])('returns for $query the sends $shown', async ({ query, shown }) => {
    const page = await run(query);

    expect(shownIn(page.sends)).toEqual(shown);
  });

  const withEvents = [
    sendAt(0, { deliveredAt: 1, opens: 1, machineOpenedAt: 2 }),
    sendAt(1, { deliveredAt: 1, opens: 1, openedAt: 2 }),
    sendAt(2, { firstSoftBounceAt: at(0.5) }),
    sendAt(3, { firstSoftBounceAt: at(0.2), firstBounceAt: at(1) }),
    sendAt(4, { firstBounceAt: at(2), firstComplaintAt: at(1) }),
  ];

  it.each([
    ['delivered', [0]],
    ['opened', [1]],
    ['soft_bounced', [2]],
    ['bounced', [3]],
    ['complained', [4]],
    ['delayed', []],
    ['bounced,soft_bounced', [2, 3]],
    ['soft_bounced,opened', [2, 1]],
    ['delivered,opened', [0, 1]],
  ])('finds by outcome what was reported last: %s', async (outcome, shown) => {
    const page = await run({ outcome }, await storeOf(withEvents));

    expect(placesIn(withEvents, page.sends)).toEqual(shown);
  });

  it('finds a rare outcome through its own list, reading no other sends', async () => {
    const store = await storeOf(withEvents);

    await run({ outcome: 'bounced' }, store);

    expect(store.counts.sends).toBe(2);
  });

  it.each([
    [{ outcome: 'bounced,soft_bounced', from: `${at(1)}` }, [2, 3]],
    [{ outcome: 'bounced,soft_bounced', from: `${at(0.5)}` }, [2]],
    [{ outcome: 'bounced,soft_bounced', until: `${at(0.5)}` }, [3]],
    [{ outcome: 'soft_bounced,opened', from: `${at(1)}` }, [2]],
    [{ outcome: 'delivered,opened', from: `${at(1)}` }, [0, 1]],
    [{ outcome: 'delivered', from: `${at(0)}` }, [0]],
  ])(
    'treats from and until as times of rare outcomes, or else of sends: %o',
    async (query, shown) => {
      const page = await run(query, await storeOf(withEvents));

      expect(placesIn(withEvents, page.sends)).toEqual(shown);
    },
  );

  it('finds several rare outcomes through their own lists, each send once', async () => {
    const store = await storeOf(withEvents);

    await run({ outcome: 'bounced,soft_bounced,complained' }, store);

    expect(store.counts.sends).toBe(3);
  });

  it('finds a send by its current status: one in doubt past its lease has failed', async () => {
    const page = await run({ status: 'failed' });

    expect(shownIn(page.sends)).toEqual([3, 4]);
  });

  it('returns the position of the next page, and null after the last', async () => {
    const first = await run({ limit: '3' });
    const last = await run({ limit: '100', cursor: first.nextCursor ?? '' });

    expect(shownIn([...first.sends, ...last.sends])).toEqual([0, 1, 2, 3, 4]);
    expect(last.nextCursor).toBeNull();
  });

  it('continues at a cursor only with the same filters', async () => {
    const filters = { to: 'ben@example.org', from: `${at(3)}` };
    const cursor = (await run({ ...filters, limit: '1' })).nextCursor ?? '';

    const rest = await run({ ...filters, cursor });
    const error = await serviceErrorOf(() => run({ to: filters.to, cursor }));

    expect(shownIn(rest.sends)).toEqual([3]);
    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'cursor' }] });
  });

  it('reads no more sends than it returns when indexes can find them', async () => {
    const store = await storeOf(sends);

    await run({ to: 'ben@example.org', limit: '1' }, store);

    expect(store.counts.sends).toBe(1);
  });

  it('reads a bounded number of sends for a filter, and reports how far it got', async () => {
    const many = Array.from({ length: maxRead + 10 }, (_, index) => sendAt(index / 60));
    const store = await storeOf(many);

    const page = await run({ status: 'suppressed' }, store);

    expect(page.sends).toEqual([]);
    expect(store.counts.sends).toBe(maxRead);
    expect(placeOf(page.nextCursor)).toBe(listedAt(many[maxRead - 1] ?? foreign));
    expect(page.lookedUntil).toBe(many[maxRead - 1]?.claimedAt);
  });

  it('leaves out what has expired since the index was read', async () => {
    const expired = await storeOf([sendAt(1, { expiresAt: webhookNow / 1_000 - 1 })]);

    expect(await run({}, expired)).toMatchObject({
      sends: [],
      nextCursor: null,
      lookedUntil: null,
    });
  });
});

describe('a search', () => {
  const test = true as const;
  const welcome = sendAt(0, { subject: 'Welcome, Zoë', toEmail: 'Ann@example.com' });
  const toEmail = 'carol@example.org';
  const reset = sendAt(1, { toEmail, cc: ['ben@anna.example'], idempotencyKey: 'welcome' });
  const taken = sendAt(2, { toEmail, providerMessageId: '0100-1', idempotencyKey: 'ann' });
  const played = sendAt(3, { idempotencyKey: 'welcome', providerMessageId: '0100-2', test });
  const strange = sendAt(4, { providerMessageId: '0100-3' }, newOrganizationId());
  const tagged = sendAt(5, { tags: { kind: 'reset', app: '2' } });
  const real = [welcome, reset, taken];
  const all = [...real, played, strange];
  const search = async (text: string, query: Record<string, string> = {}) =>
    run({ search: text, ...query }, await storeOf(all));

  it.each([
    ['part of an address, in any case', 'ANN@', [welcome]],
    ['part of a copied address', '@anna', [reset]],
    ['part of a subject', '  zoë ', [welcome]],
    ['a send id', reset.id, [reset]],
    ['a feedback id', reset.feedbackId, [reset]],
    ['SES’s message id', '0100-1', [taken]],
    ['a Message-ID of SES', '<0100-1@email.amazonses.com>', [taken]],
    ['a Message-ID of SES elsewhere', '0100-1@eu-west-1.amazonses.com', [taken]],
    ['an id of a test email', '0100-2', [played]],
    ['an idempotency key, and then not by its words', 'ann', [taken]],
    ['an idempotency key, not the test email with the same', 'welcome', [reset]],
    ['a whole address', ' CAROL@example.org', [reset, taken]],
    ['a whole address with a name', 'Carol <carol@example.org>', [reset, taken]],
    ['a whole address, not one that contains it', 'nn@example.com', []],
    ['nothing of another organization, by id', strange.id, []],
    ['nothing of another organization, by message', '0100-3', []],
    ['nothing', 'wilcome', []],
  ])('finds by %s', async (_, text, found) => {
    const page = await search(text);

    expect(idsOf(page.sends)).toEqual(idsOf(found));
    expect(page).toMatchObject({ nextCursor: null, lookedUntil: null });
  });

  it.each([
    [{ test: 'true' }, [played]],
    [{ test: 'false' }, []],
    [{ test: 'true', status: 'failed' }, []],
    [{ test: 'true', until: `${at(3)}` }, []],
    [{ test: 'true', to: 'nobody@example.com' }, []],
  ])('respects the other filters, even for an id: %o', async (query, found) => {
    expect(idsOf((await search(played.id, query)).sends)).toEqual(idsOf(found));
  });

  it.each([
    ['tag:kind:reset', {}, [tagged]],
    ['tag: kind:reset', { tag: 'app:2' }, [tagged]],
    ['tag:kind:reset', { tag: 'app:3' }, []],
    ['tag:kind:welcome', {}, []],
  ])('finds by a tag: %s', async (text, query, found) => {
    const page = await run({ search: text, ...query }, await storeOf([tagged, welcome]));

    expect(idsOf(page.sends)).toEqual(idsOf(found));
  });

  it('explains the format of a tag', () => {
    const { error } = endpoint.query.safeParse({ search: 'tag:kind' });

    expect(error?.issues).toMatchObject([
      { path: ['search'], message: 'must be a tag as tag:name:value, such as tag:kind:reset' },
    ]);
  });

  it('reports how far it got, page by page, and how many emails it looked at', async () => {
    const pages = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await search('example', { limit: '1', ...(cursor && { cursor }) });
      pages.push(page);
      cursor = page.nextCursor ?? undefined;
    }

    expect(idsOf(pages.flatMap((page) => page.sends))).toEqual(idsOf([welcome, reset, taken]));
    expect(pages.map(({ lookedUntil, looked }) => [lookedUntil, looked])).toEqual([
      [welcome.createdAt, 1],
      [reset.createdAt, 1],
      [null, 1],
    ]);
  });

  it('for words reads only the sends that have them', async () => {
    const many = Array.from({ length: 700 }, (_, index) =>
      sendAt(index / 60, { subject: index % 100 === 99 ? 'Reset it' : 'Welcome' }),
    );
    const store = await storeOf(many);

    const page = await run({ search: 'reset', limit: '3' }, store);

    // The text might be an idempotency key.
    expect(store.counts.sends).toBe(1 + 3);
    expect(placesIn(many, page.sends)).toEqual([99, 199, 299]);
    expect(page.looked).toBe(300);
  });

  it('combines an address with a filter for another', async () => {
    const { sends: both } = await search('ben@anna.example', { to: toEmail });
    const { sends: none } = await search('ann@example.com', { to: toEmail });

    expect(idsOf(both)).toEqual(idsOf([reset]));
    expect(none).toEqual([]);
  });

  it('with a test key finds test emails only', async () => {
    const tester = { ...caller, apiKey: { ...caller.apiKey, test } };
    const { table } = await storeOf(all);
    const find = async (text: string) => {
      const query = endpoint.query.parse({ search: text });
      return idsOf((await listSends({ caller: tester, query }, { table, now })).sends);
    };

    expect(await find('welcome')).toEqual([played.id]);
    expect(await find('0100-2')).toEqual([played.id]);
    expect(await find(reset.id)).toEqual([]);
    expect(await find('0100-1')).toEqual([]);
  });

  it('for an id reads only the send that it names', async () => {
    const store = await storeOf(all);

    await run({ search: reset.feedbackId }, store);

    expect(store.counts.sends).toBe(1);
  });
});

describe('the query', () => {
  it.each([
    { limit: '0' },
    { limit: '101' },
    { status: 'delivered' },
    { to: 'nobody' },
    { from: 'yesterday' },
    { until: '' },
    { template: 'welcome' },
    { key: 'esk_1' },
    { outcome: 'bounced,' },
    { outcome: 'bounced,spam' },
    { search: ' ' },
    { search: 'tag:kind' },
    { search: 'tag:kind:' },
    { search: 'tag:' },
    { search: 'x'.repeat(999) },
  ])('is rejected: %o', (query) => {
    expect(endpoint.query.safeParse(query).success).toBe(false);
  });
});
