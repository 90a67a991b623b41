import { describe, expect, it } from 'vitest';
import { isTestSend, type Send } from '#shared/sending/send';
import { listSends } from '#shared/sends/list-sends';
import type { NamedSendsStore } from '#shared/sends/named-sends-store';
import { firstAttributes, outcomeOf } from '#shared/sends/outcome';
import { listedAt, type SendListStore, sendPositionSchema } from '#shared/sends/send-list-store';
import { mostExamined } from '#shared/table/list-search';
import { sendPosition } from '#shared/table/send-keys';
import {
  contactIdOf,
  newApiKeyId,
  newOrganizationId,
  newTemplateId,
  organizationIdOf,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/list-sends/list-sends.ts';
import { placeOf } from '../../support/cursor-reader.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';
import { webhookNow } from '../webhooks/webhook-builder.ts';

const entryOf = (send: Send) => ({
  slotId: slotIdIn(send.id),
  position: sendPositionSchema.parse(listedAt(send)),
});

const heardEntryOf = (send: Send) => {
  const slotId = slotIdIn(send.id);
  const { outcomeAt } = outcomeOf(send, webhookNow);
  return { slotId, position: sendPositionSchema.parse(sendPosition(slotId, outcomeAt)) };
};

/** A table that holds these sends, newest first, and counts the sends that are read. */
function storeOf(sends: readonly Send[]) {
  const counts = { sends: 0 };
  const page = (
    listed: readonly Send[],
    before: string | undefined,
    limit: number,
    placeOf = entryOf,
  ) =>
    listed
      .map(placeOf)
      .filter(({ position }) => before === undefined || position < before)
      .slice(0, limit);
  const store: SendListStore = {
    find: async (organizationId, { before, limit }) =>
      page(
        sends.filter(({ id }) => organizationIdOf(id) === organizationId),
        before,
        limit,
      ),
    findTo: async (contactId, { before, limit }) =>
      page(
        sends.filter(({ id, toEmail }) => contactIdOf(organizationIdOf(id), toEmail) === contactId),
        before,
        limit,
      ),
    // An index keeps what was reported once, whatever the outcome is now.
    findWith: async (organizationId, outcomes, { before, limit }) =>
      page(
        sends.filter(
          (send) =>
            organizationIdOf(send.id) === organizationId &&
            outcomes.some((outcome) => send[firstAttributes[outcome]] !== undefined),
        ),
        before,
        limit,
        heardEntryOf,
      ),
    get: async (listed, now) => {
      expect(now).toBe(webhookNow);
      counts.sends += listed.length;
      return listed.map(({ slotId }) => sends.find(({ id }) => slotIdIn(id) === slotId));
    },
  };
  return { store, counts };
}

const manager = buildManager();
const { organizationId, caller, now } = manager;
const at = (minutesAgo: number) => webhookNow - minutesAgo * 60_000;
const sendAt = (minutesAgo: number, send: Partial<Send> = {}, owner = organizationId) =>
  buildSend({ id: newSendId(owner), claimedAt: at(minutesAgo), status: 'sent', ...send });

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

/** Finds sends by what names them, as the table does. */
const namesOf = (named: readonly Send[]): NamedSendsStore => {
  const find = async (isNamed: (send: Send) => boolean) => named.find(isNamed);
  return {
    byId: (owner, id) =>
      find(
        (send) => organizationIdOf(send.id) === owner && [send.id, send.feedbackId].includes(id),
      ),
    byMessage: (owner, providerMessageId) =>
      find(
        (send) =>
          organizationIdOf(send.id) === owner && send.providerMessageId === providerMessageId,
      ),
    byMessageOf: unexpected('names.byMessageOf'),
    byIdempotencyKey: (owner, idempotencyKey, { isTest }) =>
      find(
        (send) =>
          organizationIdOf(send.id) === owner &&
          isTestSend(send) === isTest &&
          send.idempotencyKey === idempotencyKey,
      ),
  };
};

const run = (
  query: Record<string, string>,
  sendStore = storeOf([...sends, foreign]).store,
  names = namesOf([]),
) => listSends({ caller, query: endpoint.query.parse(query) }, { now, sends: sendStore, names });
const shownIn = (found: readonly Send[]) => found.map((send) => sends.indexOf(send));

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
    { query: { template }, shown: [2] },
    { query: { key }, shown: [1] },
    { query: { key, to: 'ben@example.org', from: `${at(2)}` }, shown: [1] },
    { query: { key: newApiKeyId(newOrganizationId()) }, shown: [] },
  ])('returns for $query the sends $shown', async ({ query, shown }) => {
    const page = await run(query);

    expect(shownIn(page.sends)).toEqual(shown);
  });

  const heard = [
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
    ['soft_bounced,opened', [1, 2]],
  ])('finds by outcome what was reported last: %s', async (outcome, shown) => {
    const page = await run({ outcome }, storeOf(heard).store);

    expect(page.sends.map((send) => heard.indexOf(send))).toEqual(shown);
  });

  it('finds a rare outcome through its own list, reading no other sends', async () => {
    const { store, counts } = storeOf(heard);

    await run({ outcome: 'bounced' }, store);

    expect(counts.sends).toBe(2);
  });

  it.each([
    [{ outcome: 'bounced,soft_bounced', from: `${at(1)}` }, [2, 3]],
    [{ outcome: 'bounced,soft_bounced', from: `${at(0.5)}` }, [2]],
    [{ outcome: 'bounced,soft_bounced', until: `${at(0.5)}` }, [3]],
    [{ outcome: 'soft_bounced,opened', from: `${at(1)}` }, [1]],
    [{ outcome: 'delivered', from: `${at(0)}` }, [0]],
  ])(
    'treats from and until as times of rare outcomes, or else of sends: %o',
    async (query, shown) => {
      const page = await run(query, storeOf(heard).store);

      expect(page.sends.map((send) => heard.indexOf(send))).toEqual(shown);
    },
  );

  it('finds several rare outcomes through their own lists, each send once', async () => {
    const { store, counts } = storeOf(heard);

    await run({ outcome: 'bounced,soft_bounced,complained' }, store);

    expect(counts.sends).toBe(3);
  });

  it('finds a send by its current status: one in doubt past its window has failed', async () => {
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
    const { store, counts } = storeOf(sends);

    await run({ to: 'ben@example.org', limit: '1' }, store);

    expect(counts.sends).toBe(1);
  });

  it('reads a bounded number of sends for a filter, and reports how far it got', async () => {
    const many = Array.from({ length: mostExamined + 10 }, (_, index) => sendAt(index / 60));
    const { store, counts } = storeOf(many);

    const page = await run({ status: 'suppressed' }, store);

    expect(page.sends).toEqual([]);
    expect(counts.sends).toBe(mostExamined);
    expect(placeOf(page.nextCursor)).toBe(listedAt(many[mostExamined - 1] ?? foreign));
    expect(page.lookedUntil).toBe(many[mostExamined - 1]?.claimedAt);
  });

  it('leaves out what has expired since the index was read', async () => {
    const { store } = storeOf(sends);
    const gone: SendListStore = { ...store, get: async (listed) => listed.map(() => undefined) };

    expect(await run({}, gone)).toEqual({ sends: [], nextCursor: null, lookedUntil: null });
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
  const search = (text: string, query: Record<string, string> = {}) =>
    run({ search: text, ...query }, storeOf(real).store, namesOf(all));

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
    ['an idempotency key, before what has the text', 'ann', [taken, welcome, reset]],
    ['an idempotency key, not the test email with the same', 'welcome', [reset, welcome]],
    ['nothing of another organization, by id', strange.id, []],
    ['nothing of another organization, by message', '0100-3', []],
    ['nothing', 'wilcome', []],
  ])('finds by %s', async (_, text, found) => {
    const page = await search(text);

    expect(page).toEqual({ sends: found, nextCursor: null, lookedUntil: null });
  });

  it.each([
    [{ test: 'true' }, [played]],
    [{ test: 'false' }, []],
    [{ test: 'true', status: 'failed' }, []],
    [{ test: 'true', until: `${at(3)}` }, []],
    [{ test: 'true', to: 'nobody@example.com' }, []],
  ])('respects the other filters, even for an id: %o', async (query, found) => {
    expect((await search(played.id, query)).sends).toEqual(found);
  });

  it.each([
    ['tag:kind:reset', {}, [tagged]],
    ['tag: kind:reset', { tag: 'app:2' }, [tagged]],
    ['tag:kind:reset', { tag: 'app:3' }, []],
    ['tag:kind:welcome', {}, []],
  ])('finds by a tag: %s', async (text, query, found) => {
    const page = await run({ search: text, ...query }, storeOf([tagged, welcome]).store);

    expect(page.sends).toEqual(found);
  });

  it('explains the format of a tag', () => {
    const { error } = endpoint.query.safeParse({ search: 'tag:kind' });

    expect(error?.issues).toMatchObject([
      { path: ['search'], message: 'must be a tag as tag:name:value, such as tag:kind:reset' },
    ]);
  });

  it('reports how far it got, with pages that contain what the text names once', async () => {
    const pages = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await search('ann', { limit: '1', ...(cursor && { cursor }) });
      pages.push(page);
      cursor = page.nextCursor ?? undefined;
    }

    expect(pages.flatMap((page) => page.sends)).toEqual([taken, welcome, reset]);
    expect(pages.map(({ lookedUntil }) => lookedUntil)).toEqual([
      webhookNow,
      welcome.createdAt,
      reset.createdAt,
      null,
    ]);
  });

  it('with a test key finds test emails only', async () => {
    const tester = { ...caller, apiKey: { ...caller.apiKey, test } };
    const find = (text: string) => {
      const query = endpoint.query.parse({ search: text });
      const reading = { now, sends: storeOf([played]).store, names: namesOf(all) };
      return listSends({ caller: tester, query }, reading);
    };

    expect((await find('welcome')).sends).toEqual([played]);
    expect((await find('0100-2')).sends).toEqual([played]);
    expect((await find(reset.id)).sends).toEqual([]);
    expect((await find('0100-1')).sends).toEqual([]);
  });

  it('for an id reads no list', async () => {
    const { store, counts } = storeOf(real);

    await run({ search: reset.feedbackId }, store, namesOf(all));

    expect(counts.sends).toBe(0);
  });

  it('reads a bounded number of sends', async () => {
    const many = Array.from({ length: mostExamined + 10 }, (_, index) => sendAt(index / 60));
    const { store, counts } = storeOf(many);

    const page = await run({ search: 'nothing like it' }, store);

    expect(counts.sends).toBe(mostExamined);
    expect(page.lookedUntil).toBe(many[mostExamined - 1]?.claimedAt);
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
