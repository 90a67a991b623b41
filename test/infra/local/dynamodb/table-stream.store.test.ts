import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { countOpen, storeSendEvent } from '#shared/send-history/send-event-store';
import {
  commitAcceptance,
  recordFailure,
  recordProof,
  recordRejection,
} from '#shared/sending/send-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openOf } from '#shared/tracking/engagement';
import { readStreamRecord, type UsageEntry } from '#shared/usage/counted-changes';
import { monthOf } from '#shared/usage/month';
import { sumUsage } from '#shared/usage/usage-counts';
import { tableStreamEventSchema } from '../../../../functions/count-usage/count-usage.ts';
import { usageStream } from '../../../../infra/constructs/pipelines/table-stream-settings.ts';
import { startTableStreamTrigger } from '../../../../infra/local/dynamodb/table-stream.ts';
import { claimSend } from '../../../support/claim-builder.ts';
import { farExpiry } from '../../../support/delivery-builder.ts';
import { openOwnTable } from '../../../support/own-database.ts';
import { patience } from '../../../support/patience.ts';
import { buildSend, leaseMs, newSendId } from '../../../support/send-builder.ts';
import { storeHit } from '../../../support/stored-hit.ts';

const table = await openOwnTable({ hasStream: true });
const organizationId = newOrganizationId();

/** Follows the real stream, and keeps what counts. */
function follow(onBatch: (records: readonly unknown[]) => void = () => {}) {
  const entries: UsageEntry[] = [];
  const readings = new Set<string>();
  const faults: unknown[] = [];
  const trigger = startTableStreamTrigger({
    endpoint: inject('dynamodbEndpoint'),
    tableName: table.name,
    settings: usageStream,
    everyMs: 50,
    report: (fault) => faults.push(fault),
    invoke: async (event) => {
      const { Records, shardId } = tableStreamEventSchema.parse(event);
      expect(shardId).toMatch(/^shardId-/);
      onBatch(Records);
      for (const record of Records) {
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

/** A send of this file's organization, stored as claimed. */
async function claimNew(facts: Parameters<typeof buildSend>[0] = {}) {
  const send = buildSend({ id: newSendId(organizationId), ...facts });
  await claimSend(table, send);
  return send;
}

it('streams what the stores really write, from the beginning, each change once', async () => {
  const sent = await claimNew({
    endpoint: 'send-global',
    attachmentCount: 2,
    attachmentBytes: 4_000_000,
  });
  const failed = await claimNew();
  const acceptance = { providerMessageId: 'message-1', at };
  const { send: existing } = await commitAcceptance(table, sent, acceptance, []);
  await commitAcceptance(table, sent, acceptance, []);
  await commitAcceptance(table, sent, { providerMessageId: 'message-2', at }, []);
  await recordFailure(table, failed, 'MessageRejected', at);
  const delivered = { type: 'delivered', ts: at, providerMessageId: 'message-1' } as const;
  await storeSendEvent(table, existing, delivered);
  await storeSendEvent(table, existing, delivered);
  await countOpen(table, existing, { at, isMachine: true });
  await countOpen(table, existing, { at: at + 1, isMachine: false });
  await recordRejection(table, sent, acceptance, 'Bad content');

  const { entries, readings, faults } = follow();

  await vi.waitUntil(() => entries.length >= 5, patience);
  const counts = entries.map((entry) => entry.counts);
  expect(counts).toHaveLength(5);
  expect(counts).toEqual(
    expect.arrayContaining([
      {
        sends: 1,
        sent: 1,
        recipients: 1,
        globalSends: 1,
        attachments: 2,
        attachmentBytes: 4_000_000,
      },
      { sent: 1 },
      { delivered: 1 },
      { opened: 1 },
      { unsent: 1 },
    ]),
  );
  // What nobody got counts when its end is stored, which is the stream's own time.
  const sentOnes = entries.filter(({ counts: { unsent } }) => unsent === undefined);
  expect(new Set(sentOnes.map((entry) => monthOf(entry.at)))).toEqual(new Set(['2026-06']));
  expect(new Set(entries.map(({ sequence }) => sequence)).size).toBe(5);
  expect(readings).toEqual(new Set(['counts', 'counts nothing']));
  expect(faults).toEqual([]);
});

it('counts each email that SES accepted once, in any order of its answers and events', async () => {
  const month = Date.UTC(2026, 7, 15);
  const acceptance = (message: string) => ({ providerMessageId: message, at: month });
  /** The next attempt of a send that has failed, or whose lease is over. */
  const claimAgain = (send: Awaited<ReturnType<typeof claimNew>>) =>
    claimSend(table, buildSend({ id: send.id, claimedAt: send.claimedAt + leaseMs }));
  const histories = [
    async () => {
      const send = await claimNew();
      await recordFailure(table, send, 'Throttled', month);
      await claimAgain(send);
      await commitAcceptance(table, { ...send, attempt: 2 }, acceptance('after-failure'), []);
    },
    async () => {
      const send = await claimNew();
      await recordProof(table, send, month);
      await commitAcceptance(table, send, acceptance('after-proof'), []);
    },
    async () => {
      const send = await claimNew();
      await claimAgain(send);
      await commitAcceptance(table, send, acceptance('late-first'), []);
      await commitAcceptance(table, send, acceptance('second'), []);
      await commitAcceptance(table, send, acceptance('late-first'), []);
    },
    async () => {
      const send = await claimNew();
      await commitAcceptance(table, send, acceptance('rejected'), []);
      await recordRejection(table, send, acceptance('rejected'), 'Bad content');
      await commitAcceptance(table, send, acceptance('rejected'), []);
      await claimAgain(send);
      await commitAcceptance(table, send, acceptance('rejected'), []);
      await commitAcceptance(table, send, acceptance('after-rejection'), []);
    },
  ];
  for (const history of histories) await history();
  // The last change of this test: when it is there, so are all before it.
  await storeHit(
    table,
    openOf(buildSend({ id: newSendId(organizationId) }).feedbackId),
    { at: month, isMachine: true },
    farExpiry,
  );

  const { entries } = follow();

  const own = () =>
    entries.filter((entry) => monthOf(entry.at) === '2026-08').map(({ counts }) => counts);
  await vi.waitUntil(() => own().some(({ opened }) => opened === 1), patience);
  // Six emails: one, one, two under one send, and two of which the first was rejected.
  expect(sumUsage(own())).toMatchObject({ sends: 5, sent: 6 });
});

it('repeats a batch until the function accepts it, then continues with the next', async () => {
  const own = await claimNew();
  await commitAcceptance(table, own, { providerMessageId: 'message-3', at }, []);
  const batches: string[] = [];
  let failures = 2;

  const { faults } = follow((records) => {
    batches.push(JSON.stringify(records));
    if (failures > 0) {
      failures -= 1;
      throw new Error(`not now: ${failures}`);
    }
  });

  await vi.waitUntil(() => batches.length >= 3, patience);
  expect(faults).toHaveLength(2);
  expect(batches[1]?.startsWith(batches[0]?.slice(0, -1) ?? '')).toBe(true);
});

it('delivers nothing more once it is stopped', async () => {
  const batches: unknown[] = [];
  const { stop } = follow((records) => batches.push(records));
  await vi.waitUntil(() => batches.length > 0, patience);

  await stop();

  const before = batches.length;
  const opened = openOf(buildSend({ id: newSendId(organizationId) }).feedbackId);
  await storeHit(table, opened, { at, isMachine: true }, farExpiry);
  await sleep(200);
  expect(batches).toHaveLength(before);
});
