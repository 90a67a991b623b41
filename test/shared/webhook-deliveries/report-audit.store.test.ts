import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry, settledAfterMs } from '#shared/audit/audit-store';
import { putOrganization } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import { newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import { findLogEntries, getDeliveries } from '#shared/webhook-deliveries/delivery-log-store';
import { reportAudit } from '#shared/webhook-deliveries/report-audit';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  replaceWebhook,
} from '#shared/webhooks/webhook-store';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import {
  Death,
  type Disturbance,
  doBefore,
  dyingTable,
  loseFirstAnswer,
  openDisturbedTable,
} from '../../support/disturbed-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildWebhook, webhookNow } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();
const later = webhookNow + settledAfterMs + 1_000;

/** A webhook that gets the audit of its organization, which has more entries than a transaction takes. */
async function prepare(entries = 60) {
  const organization = buildOrganization();
  await putOrganization(table, organization);
  const webhook = buildWebhook({
    id: newWebhookId(organization.id),
    eventTypes: ['audit.recorded'],
  });
  await createWebhook(table, webhook, anyEntry());
  for (let at = 0; at < entries; at += 1) {
    const change = { action: 'template.updated', target: `${at}` };
    const entry = newAuditEntry(organization.id, 'operator', change, webhookNow + at);
    await appendAuditEntry(table, entry);
  }
  const failures: unknown[] = [];
  const run = (of: Table = table) =>
    reportAudit(later + 5_000, {
      ...{ table: of, now: () => later, sendRetentionDays: 90 },
      reportFailure: (id, error) => id === webhook.id && failures.push(error),
    });
  /** What its deliveries are about, in order. */
  const delivered = async () => {
    const log = await findLogEntries(table, webhook.id, undefined, 100);
    const ids = log.map(({ id }) => id);
    const found = await getDeliveries(table, ids, later);
    return [...found.values()]
      .map(({ body }) => Number(JSON.parse(body).data.target))
      .sort((one, other) => one - other);
  };
  return { webhook, run, delivered, failures };
}

const all = Array.from({ length: 60 }, (_, index) => index);

describe('the audit in webhooks', () => {
  it.each([1, 2, 3])(
    'is complete, each entry once, if a run dies before write %d',
    async (death) => {
      const { run, delivered, failures } = await prepare();

      await run(dyingTable(death)).catch(() => {});
      const left = await delivered();
      await run();

      expect(left.length).toBeLessThanOrEqual(60);
      expect(failures.every((failure) => failure instanceof Death)).toBe(true);
      expect(await delivered()).toEqual(all);
    },
  );

  it.each([0, 1])('has each entry once if the answer to write %d is lost', async (lost) => {
    const { run, delivered, failures } = await prepare();
    const disturbance: Disturbance =
      lost === 0
        ? loseFirstAnswer('TransactWriteItems')
        : {
            answering: async ({ operation, index }) =>
              operation === 'TransactWriteItems' && index === lost && attempts++ === 0
                ? 'lost'
                : undefined,
          };
    let attempts = 0;

    await run(openDisturbedTable(disturbance));

    expect(failures).toEqual([]);
    expect(await delivered()).toEqual(all);
  });

  it('has each entry once if several runs work at once', async () => {
    const { run, delivered, failures } = await prepare();

    await Promise.all([run(), run(), run()]);
    await run();

    expect(failures).toEqual([]);
    expect(await delivered()).toEqual(all);
  });

  it('has each entry once if another run is faster between the read and the write', async () => {
    const { run, delivered } = await prepare();

    await run(openDisturbedTable(doBefore('TransactWriteItems', 0, () => run())));

    expect(await delivered()).toEqual(all);
  });

  it('isn’t stored for a webhook that is deleted between the read and the write', async () => {
    const { run, delivered, webhook, failures } = await prepare(5);
    const remove = () => deleteWebhook(table, webhook.id, anyEntry());

    await run(openDisturbedTable(doBefore('TransactWriteItems', 0, remove)));

    expect([await delivered(), failures]).toEqual([[], []]);
  });

  it('skips no new entry, and repeats none, for a webhook that returns while a clock is behind', async () => {
    const { run, delivered, webhook, failures } = await prepare();
    await run();
    const before = await getWebhook(table, webhook.id);
    if (before === undefined) throw new Error('gone');
    const disabled = { reason: 'by_owner', at: webhookNow } as const;
    const paused = { ...before, disabled, updatedAt: webhookNow + 1 };
    await replaceWebhook(table, before, paused);
    await replaceWebhook(table, paused, { ...before, updatedAt: webhookNow + 10 });
    await appendAuditEntry(
      table,
      newAuditEntry(
        organizationIdOf(webhook.id),
        'operator',
        { action: 'template.updated', target: '60' },
        webhookNow + 60,
      ),
    );

    await run();

    expect(failures).toEqual([]);
    expect(await delivered()).toEqual([...all, 60]);
  });
});
