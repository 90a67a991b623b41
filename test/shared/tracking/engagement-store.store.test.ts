import { describe, expect, it } from 'vitest';
import { claimSend } from '#shared/sending/claim-store';
import { readTimeline } from '#shared/sending/timeline-store';
import { recordClick, recordOpen } from '#shared/tracking/engagement-store';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

async function storeNewSend() {
  const send = buildSend();
  await claimSend(table, buildClaim({ send }));
  return send.feedbackId;
}

const eventsOf = async (feedbackId: Awaited<ReturnType<typeof storeNewSend>>) => {
  const timeline = await readTimeline(table, feedbackId);
  return timeline?.events;
};

const person = (at: number) => ({ at, isMachine: false });
const machine = (at: number) => ({ at, isMachine: true });

describe('an open', () => {
  it('makes one event, on which further opens count up', async () => {
    const feedbackId = await storeNewSend();

    for (const at of [1_000, 2_000, 3_000]) await recordOpen(table, feedbackId, person(at));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 1_000, hits: 3, machine: false },
    ]);
  });

  it('by machines only is marked as such', async () => {
    const feedbackId = await storeNewSend();

    for (const at of [1_000, 2_000]) await recordOpen(table, feedbackId, machine(at));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 1_000, hits: 2, machine: true },
    ]);
  });

  it('by a person after a machine is the person’s, at the time of the person', async () => {
    const feedbackId = await storeNewSend();

    await recordOpen(table, feedbackId, machine(1_000));
    await recordOpen(table, feedbackId, person(2_000));
    await recordOpen(table, feedbackId, person(3_000));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'opened', ts: 2_000, hits: 3, machine: false },
    ]);
  });

  it('loses none of many at once', async () => {
    const feedbackId = await storeNewSend();

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => recordOpen(table, feedbackId, person(index + 1))),
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

    if (one) await recordClick(table, one, person(1_000));
    if (other) await recordClick(table, other, person(2_000));
    if (one) await recordClick(table, one, person(3_000));

    expect(await eventsOf(feedbackId)).toEqual([
      { type: 'clicked', ts: 1_000, url: 'https://example.com/a', hits: 2, machine: false },
      { type: 'clicked', ts: 2_000, url: 'https://example.com/b', hits: 1, machine: false },
    ]);
  });

  it('shows nothing of query and fragment, which carry secrets', async () => {
    const feedbackId = await storeNewSend();
    const destination = 'https://user:pass@example.com/reset?token=secret#secret';

    await recordClick(table, { feedbackId, destination }, person(1_000));

    expect(await eventsOf(feedbackId)).toMatchObject([{ url: 'https://example.com/reset' }]);
  });
});
