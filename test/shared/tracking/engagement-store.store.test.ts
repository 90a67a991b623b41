import { describe, expect, it } from 'vitest';
import { claimSend } from '#shared/sending/claim-store';
import { readTimeline } from '#shared/sending/timeline-store';
import type { FeedbackId } from '#shared/tokens/resource-id';
import {
  clickOf,
  countHit,
  countNews,
  type Hit,
  isNews,
  openOf,
} from '#shared/tracking/engagement-store';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

async function storeNewSend() {
  const send = buildSend();
  await claimSend(table, buildClaim({ send }));
  return send.feedbackId;
}

const eventsOf = async (feedbackId: FeedbackId) => {
  const timeline = await readTimeline(table, feedbackId);
  return timeline?.events;
};

const recordOpen = (feedbackId: FeedbackId, hit: Hit) => countHit(table, openOf(feedbackId), hit);

const person = (at: number) => ({ at, isMachine: false });
const machine = (at: number) => ({ at, isMachine: true });

describe('an open', () => {
  it('makes one event, on which further opens count up', async () => {
    const feedbackId = await storeNewSend();

    for (const at of [1_000, 2_000, 3_000]) await recordOpen(feedbackId, person(at));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 1_000, hits: 3, machine: false },
    ]);
  });

  it('by machines only is marked as such', async () => {
    const feedbackId = await storeNewSend();

    for (const at of [1_000, 2_000]) await recordOpen(feedbackId, machine(at));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 1_000, hits: 2, machine: true },
    ]);
  });

  it('by a person after a machine is the person’s, at the time of the person', async () => {
    const feedbackId = await storeNewSend();

    await recordOpen(feedbackId, machine(1_000));
    await recordOpen(feedbackId, person(2_000));
    await recordOpen(feedbackId, person(3_000));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 2_000, hits: 3, machine: false },
    ]);
  });

  it('loses none of many at once', async () => {
    const feedbackId = await storeNewSend();

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => recordOpen(feedbackId, person(index + 1))),
    );

    expect(await eventsOf(feedbackId)).toMatchObject([{ type: 'opened', hits: 20 }]);
  });
});

describe('a click', () => {
  it('makes one event for each link', async () => {
    const feedbackId = await storeNewSend();
    const [one, other] = ['https://example.com/a', 'https://example.com/b'].map((destination) => ({
      feedbackId,
      destination,
    }));

    if (one) await countHit(table, clickOf(one), person(1_000));
    if (other) await countHit(table, clickOf(other), person(2_000));
    if (one) await countHit(table, clickOf(one), person(3_000));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'clicked', ts: 1_000, url: 'https://example.com/a', hits: 2, machine: false },
      { type: 'clicked', ts: 2_000, url: 'https://example.com/b', hits: 1, machine: false },
    ]);
  });

  it('shows nothing of query and fragment, which carry secrets', async () => {
    const feedbackId = await storeNewSend();
    const destination = 'https://user:pass@example.com/reset?token=secret#secret';

    await countHit(table, clickOf({ feedbackId, destination }), person(1_000));

    expect(await eventsOf(feedbackId)).toMatchObject([{ url: 'https://example.com/reset' }]);
  });
});

describe('news', () => {
  it('is the first hit of all, and the first of a person', async () => {
    const feedbackId = await storeNewSend();
    const open = openOf(feedbackId);
    const hits = [machine(1_000), machine(2_000), person(3_000), person(4_000), machine(5_000)];

    const answers = [];
    for (const hit of hits) {
      answers.push(await isNews(table, open, hit));
      await countHit(table, open, hit);
    }

    expect(answers).toEqual([true, false, true, false, false]);
  });

  it('is counted with the deliveries that tell of it', async () => {
    const feedbackId = await storeNewSend();
    const deliveries = buildDeliveries(feedbackId);

    const isTold = await countNews(table, openOf(feedbackId), person(1_000), deliveries);

    expect(isTold).toBe(true);
    expect(await readTimeline(table, feedbackId)).toMatchObject({
      events: [{ type: 'opened', hits: 1 }],
      deliveries,
    });
  });

  it('is told of once when many hits come at once, and each of them counts', async () => {
    const feedbackId = await storeNewSend();
    const deliveries = buildDeliveries(feedbackId);

    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        countNews(table, openOf(feedbackId), person(1_000), deliveries),
      ),
    );

    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await readTimeline(table, feedbackId)).toMatchObject({
      events: [{ type: 'opened', hits: 10 }],
      deliveries,
    });
  });
});
