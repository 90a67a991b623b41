import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Event } from '#shared/events/event';
import { toEvent } from '#shared/events/event-store';
import { queryAll } from '#shared/table/reads';
import { sendPartition } from '#shared/table/send-keys';
import {
  type FeedbackId,
  feedbackIdOf,
  newNonce,
  newOrganizationId,
  sendIdOf,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { clickOf, type Engagement, type Hit, isNews, openOf } from '#shared/tracking/engagement';
import { countHit, countNews, findHits } from '#shared/tracking/engagement-store';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { buildDeliveries, farExpiry } from '../../support/delivery-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { storedAmong } from '../../support/stored-delivery.ts';
import { anySend, storeHit } from '../../support/stored-hit.ts';

const table = openStoreTable();
const newFeedbackId = () => feedbackIdOf(newSendId(newOrganizationId()));

/** The events of the slot, oldest first. */
async function eventsOf(feedbackId: FeedbackId): Promise<Event[]> {
  const pk = sendPartition(slotIdIn(feedbackId));
  const items = await queryAll(table, { pk, skPrefix: 'EVENT#' });
  return items.map(toEvent).toSorted((one, other) => one.ts - other.ts);
}

const recordOpen = (feedbackId: FeedbackId, hit: Hit) =>
  storeHit(table, openOf(feedbackId), hit, farExpiry);

const person = (at: number) => ({ at, isMachine: false });
const machine = (at: number) => ({ at, isMachine: true });

describe('an open', () => {
  it('makes one event, on which further opens count up', async () => {
    const feedbackId = newFeedbackId();

    for (const at of [1_000, 2_000, 3_000]) await recordOpen(feedbackId, person(at));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 1_000, hits: 3, machine: false },
    ]);
  });

  it('by machines only is marked as such', async () => {
    const feedbackId = newFeedbackId();

    for (const at of [1_000, 2_000]) await recordOpen(feedbackId, machine(at));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 1_000, hits: 2, machine: true },
    ]);
  });

  it('by a person after a machine is the person’s, at the time of the person', async () => {
    const feedbackId = newFeedbackId();

    await recordOpen(feedbackId, machine(1_000));
    await recordOpen(feedbackId, person(2_000));
    await recordOpen(feedbackId, person(3_000));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 2_000, hits: 3, machine: false },
    ]);
  });

  it('loses none of many at once', async () => {
    const feedbackId = newFeedbackId();

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => recordOpen(feedbackId, person(index + 1))),
    );

    expect(await eventsOf(feedbackId)).toMatchObject([{ type: 'opened', hits: 20 }]);
  });
});

describe('a click', () => {
  it('makes one event for each link', async () => {
    const feedbackId = newFeedbackId();
    const one = clickOf({ feedbackId, destination: 'https://example.com/a' });
    const other = clickOf({ feedbackId, destination: 'https://example.com/b' });

    await storeHit(table, one, person(1_000), farExpiry);
    await storeHit(table, other, person(2_000), farExpiry);
    await storeHit(table, one, person(3_000), farExpiry);

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'clicked', ts: 1_000, url: 'https://example.com/a', hits: 2, machine: false },
      { type: 'clicked', ts: 2_000, url: 'https://example.com/b', hits: 1, machine: false },
    ]);
  });

  it('shows nothing of query and fragment, which carry secrets', async () => {
    const feedbackId = newFeedbackId();
    const destination = 'https://user:pass@example.com/reset?token=secret#secret';

    await storeHit(table, clickOf({ feedbackId, destination }), person(1_000), farExpiry);

    expect(await eventsOf(feedbackId)).toMatchObject([{ url: 'https://example.com/reset' }]);
  });
});

describe('an engagement', () => {
  const destination = 'https://example.com/';
  const kinds = [
    { kind: 'open', engagementOf: openOf },
    {
      kind: 'click',
      engagementOf: (feedbackId: FeedbackId) => clickOf({ feedbackId, destination }),
    },
  ];

  it.each(kinds)('($kind) is forgotten with its send, however often it is hit', async (row) => {
    const engagement = row.engagementOf(newFeedbackId());

    for (const at of [1_000, 2_000]) await storeHit(table, engagement, person(at), farExpiry);

    const read = new GetCommand({ TableName: table.name, Key: engagement.key });
    expect((await table.client.send(read)).Item).toMatchObject({ expiresAt: farExpiry });
  });

  it.each(kinds)(
    '($kind) is none of the send that had the slot before: its own counts from one',
    async (row) => {
      const slotId = slotIdOf(newOrganizationId(), 'key-1');
      const inSlot = () => row.engagementOf(feedbackIdOf(sendIdOf(slotId, newNonce())));
      const [earlier, later] = [inSlot(), inSlot()];
      await storeHit(table, earlier, person(1_000), farExpiry);

      const known = await findHits(table, later);
      await storeHit(table, later, person(2_000), farExpiry);

      expect(known).toBeUndefined();
      expect(await eventsOf(later.feedbackId)).toMatchObject([
        { ts: 1_000, hits: 1 },
        { ts: 2_000, hits: 1 },
      ]);
    },
  );
});

describe('a further hit', () => {
  it('counts on the event, and notes when the first person came', async () => {
    const open = openOf(newFeedbackId());
    await storeHit(table, open, machine(1_000), farExpiry);

    for (const hit of [machine(2_000), person(3_000), person(4_000)])
      await countHit(table, open, hit);

    expect(await eventsOf(open.feedbackId)).toEqual([
      { type: 'opened', ts: 3_000, hits: 4, machine: false },
    ]);
  });

  it('makes no event where it is gone', async () => {
    const open = openOf(newFeedbackId());

    await countHit(table, open, person(1_000));

    expect(await eventsOf(open.feedbackId)).toEqual([]);
  });
});

/** Counts a hit with deliveries that tell of it. */
const countReported = (
  open: Engagement,
  hit: Hit,
  deliveries: readonly Delivery[],
  send = anySend,
) => countNews(table, open, hit, deliveries, farExpiry, send);

/** An open that nobody has counted, and the deliveries that would tell of it by somebody. */
function newOpen() {
  const feedbackId = newFeedbackId();
  return {
    feedbackId,
    open: openOf(feedbackId),
    deliveriesBy: (who: string) => buildDeliveries(feedbackId, who),
  };
}

const atOnce = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

describe('news', () => {
  it('is neither counted nor reported when something else has changed since it was read', async () => {
    const { feedbackId, open, deliveriesBy } = newOpen();
    const deliveries = deliveriesBy('person');
    const missing = { ...anySend, ConditionExpression: 'attribute_exists(pk)' };

    const outcome = await countReported(open, person(1_000), deliveries, missing);

    expect(outcome).toBe('send_changed');
    expect(await eventsOf(feedbackId)).toEqual([]);
    expect(await storedAmong(table, deliveries)).toEqual([]);
  });

  it('is the first hit of all, and the first of a person', async () => {
    const { open } = newOpen();
    const hits = [machine(1_000), machine(2_000), person(3_000), person(4_000), machine(5_000)];

    const answers = [];
    for (const hit of hits) {
      answers.push(isNews(await findHits(table, open), hit));
      await storeHit(table, open, hit, farExpiry);
    }

    expect(answers).toEqual([true, false, true, false, false]);
  });

  it('is reported once when many hits come at once, and each of them counts', async () => {
    const { feedbackId, open, deliveriesBy } = newOpen();
    const deliveries = deliveriesBy('person');

    const answers = await atOnce(10, () => countReported(open, person(1_000), deliveries));

    expect(answers.filter((answer) => answer === 'reported')).toHaveLength(1);
    expect(await eventsOf(feedbackId)).toMatchObject([{ type: 'opened', hits: 10 }]);
    expect(await storedAmong(table, deliveries)).toEqual(deliveries);
  });

  it.each([
    ['a machine', 'a machine', machine(1_000), machine(2_000)],
    ['a machine', 'a person', person(1_000), machine(2_000)],
    ['a person', 'a person', person(1_000), person(2_000)],
  ])(
    'is no hit of %s after one of %s: it counts and tells nobody',
    async (_who, _first, one, next) => {
      const { feedbackId, open, deliveriesBy } = newOpen();
      await storeHit(table, open, one, farExpiry);
      const deliveries = deliveriesBy('another');

      expect(await countReported(open, next, deliveries)).toBe('counted');

      expect(await storedAmong(table, deliveries)).toEqual([]);
      expect(await eventsOf(feedbackId)).toMatchObject([{ ts: 1_000, hits: 2 }]);
    },
  );

  it('is the first hit of a person after those of machines', async () => {
    const { feedbackId, open, deliveriesBy } = newOpen();
    await storeHit(table, open, machine(1_000), farExpiry);
    const deliveries = deliveriesBy('person');

    expect(await countReported(open, person(2_000), deliveries)).toBe('reported');

    expect(await storedAmong(table, deliveries)).toEqual(deliveries);
    expect(await eventsOf(feedbackId)).toMatchObject([{ ts: 2_000, hits: 2, machine: false }]);
  });

  it('is reported at most twice when machines and persons come at once', async () => {
    const { feedbackId, open, deliveriesBy } = newOpen();
    const [byMachine, byPerson] = [deliveriesBy('machine'), deliveriesBy('person')];

    const outcomes = await atOnce(10, (index) =>
      index % 2 === 0
        ? countReported(open, machine(1_000), byMachine)
        : countReported(open, person(1_000), byPerson),
    );

    const [reportedByMachines, reportedByPersons] = [0, 1].map((rest) =>
      outcomes.filter((outcome, index) => outcome === 'reported' && index % 2 === rest),
    );
    expect(reportedByPersons).toHaveLength(1);
    expect(reportedByMachines?.length).toBeLessThanOrEqual(1);
    expect(await eventsOf(feedbackId)).toMatchObject([{ hits: 10 }]);
  });
});
