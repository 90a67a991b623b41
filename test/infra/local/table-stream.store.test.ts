import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { putNewEvent } from '#shared/events/event-store';
import { claimSend } from '#shared/sending/claim-store';
import { commitAcceptance, commitFailure } from '#shared/sending/settlement-store';
import { feedbackIdOf, newOrganizationId, newSendId } from '#shared/tokens/resource-id';
import { countHit, openOf } from '#shared/tracking/engagement-store';
import { readStreamRecord, type UsageEntry } from '#shared/usage/stream-record';
import { tableStreamEventSchema } from '../../../functions/count-usage/schema.ts';
import { usageFilters } from '../../../infra/constructs/usage-stream-settings.ts';
import { startTableStreamTrigger } from '../../../infra/local/table-stream.ts';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const organizationId = newOrganizationId();

/** The other tests write to the table too, and some write what no store would. */
const isOwn = (record: unknown): boolean => JSON.stringify(record).includes(organizationId);

/** Follows the real stream, and keeps what counts for this file's organization. */
function follow(onBatch: (records: readonly unknown[]) => void = () => {}) {
  const entries: UsageEntry[] = [];
  const readings = new Set<string>();
  const faults: unknown[] = [];
  const trigger = startTableStreamTrigger({
    endpoint: inject('dynamodbEndpoint'),
    tableName: table.name,
    filters: usageFilters,
    everyMs: 50,
    report: (fault) => faults.push(fault),
    invoke: async (event) => {
      const { Records, shardId } = tableStreamEventSchema.parse(event);
      expect(shardId).toMatch(/^shardId-/);
      onBatch(Records);
      for (const record of Records.filter(isOwn)) {
        const reading = readStreamRecord(record);
        readings.add(reading.kind);
        if (reading.kind === 'counts') entries.push(reading.entry);
      }
      return { state: {} };
    },
  });
  onTestFinished(trigger.stop);
  return { entries, readings, faults, stop: trigger.stop };
}

const at = Date.UTC(2026, 5, 15);

function newSend(facts: Partial<Parameters<typeof buildSend>[0]> = {}) {
  const id = newSendId(organizationId);
  return buildSend({ id, feedbackId: feedbackIdOf(id), ...facts });
}

it("makes entries of what the stores really write, from the stream's beginning, each once", async () => {
  const sent = newSend({ endpoint: 'send-global', attachmentCount: 2, attachmentBytes: 4_000_000 });
  const failed = newSend({ endpoint: 'send' });
  const feedbackId = sent.feedbackId;
  await claimSend(table, buildClaim({ send: sent }));
  await claimSend(table, buildClaim({ send: failed }));
  await commitAcceptance(table, sent, { providerMessageId: 'message-1', at }, []);
  await commitFailure(table, failed, 'MessageRejected', at);
  const delivered = { type: 'delivered', ts: at, providerMessageId: 'message-1' } as const;
  await putNewEvent(table, feedbackId, delivered, []);
  await putNewEvent(table, feedbackId, delivered, []);
  await countHit(table, openOf(feedbackId), { at, isMachine: true });
  await countHit(table, openOf(feedbackId), { at: at + 1, isMachine: false });
  await commitFailure(table, { ...sent, status: 'sent' }, 'Reject', at);

  const { entries, readings, faults } = follow();

  await vi.waitUntil(() => entries.length >= 4, { timeout: 10_000 });
  const counts = entries.map((entry) => entry.counts);
  expect(counts).toHaveLength(4);
  expect(counts).toEqual(
    expect.arrayContaining([
      { sends: 1, globalSends: 1, attachments: 2, attachmentBytes: 4_000_000 },
      { sent: 1 },
      { delivered: 1 },
      { opened: 1 },
    ]),
  );
  expect(new Set(entries.map(({ month }) => month))).toEqual(new Set(['2026-06']));
  expect(new Set(entries.map(({ sequence }) => sequence)).size).toBe(4);
  expect(readings).toEqual(new Set(['counts', 'counts nothing']));
  expect(faults).toEqual([]);
});

it('gives a batch again until the function takes it, and what comes behind it afterwards', async () => {
  const own = newSend();
  await claimSend(table, buildClaim({ send: { ...own, idempotencyKey: 'again' } }));
  await commitAcceptance(table, own, { providerMessageId: 'message-2', at }, []);
  const batches: string[] = [];
  let failures = 2;

  const { faults } = follow((records) => {
    batches.push(JSON.stringify(records));
    if (failures > 0) {
      failures -= 1;
      throw new Error(`not now: ${failures}`);
    }
  });

  await vi.waitUntil(() => batches.length >= 3, { timeout: 10_000 });
  expect(faults).toHaveLength(2);
  expect(batches[1]?.startsWith(batches[0]?.slice(0, -1) ?? '')).toBe(true);
});

it('hands over nothing more once it is stopped', async () => {
  const batches: unknown[] = [];
  const { stop } = follow((records) => batches.push(records));
  await vi.waitUntil(() => batches.length > 0, { timeout: 10_000 });

  await stop();

  const before = batches.length;
  const opened = openOf(newSend().feedbackId);
  await countHit(table, opened, { at, isMachine: true });
  await sleep(200);
  expect(batches).toHaveLength(before);
});
