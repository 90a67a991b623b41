import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { UnreadableItemError } from '#shared/errors/unreadable-item';
import {
  admitNotice,
  pageSize,
  postponeNotice,
  settleNotice,
} from '#shared/notices/due-notice-store';
import type { Notice, NoticeCause } from '#shared/notices/notice';
import { putNotice, storeNotice } from '#shared/notices/notice-store';
import { noticeKey } from '#shared/table/keys';
import { transactWrite } from '#shared/table/writes';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { buildNotice, dueNoticesIn, noticeNow as now } from '../../support/notice-builder.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { storeItems } from '../../support/store-table.ts';

// Due notices are read in pages, which those of other tests would fill.
const table = await openOwnTable();
const dayMs = 86_400_000;

/** The table is shared, so a test looks at its own organization only. */
const dueOf = async (organizationId: OrganizationId, at = now): Promise<Notice[]> =>
  (await dueNoticesIn(table, at)).filter((notice) => notice.organizationId === organizationId);

describe('a notice', () => {
  it('is due from when it is filed, in the order of time', async () => {
    const organizationId = newOrganizationId();
    const later = buildNotice(organizationId, { about: 'b' }, now + 1);
    const first = buildNotice(organizationId, { about: 'a' });

    for (const notice of [later, first]) await storeNotice(table, notice);

    expect(await dueOf(organizationId, now - 1)).toEqual([]);
    expect(await dueOf(organizationId, now)).toEqual([first]);
    expect(await dueOf(organizationId, now + 1)).toEqual([first, later]);
  });

  it('is stored once for a cause and day, and again the next day', async () => {
    const organizationId = newOrganizationId();
    const first = buildNotice(organizationId);
    const nextDay = buildNotice(organizationId, {}, now + dayMs);

    await storeNotice(table, first);
    await storeNotice(table, buildNotice(organizationId, { text: 'other figures' }));
    await storeNotice(table, nextDay);

    expect(await dueOf(organizationId, now + dayMs)).toEqual([first, nextDay]);
  });

  it('that is settled is not due any more, nor when it is filed again that day', async () => {
    const organizationId = newOrganizationId();
    const notice = buildNotice(organizationId);
    await storeNotice(table, notice);

    await settleNotice(table, notice, 'sent');
    await storeNotice(table, notice);

    expect(await dueOf(organizationId)).toEqual([]);
  });

  it('that is postponed is due later, and has one attempt more', async () => {
    const organizationId = newOrganizationId();
    const notice = buildNotice(organizationId);
    await storeNotice(table, notice);

    await postponeNotice(table, notice, now + 60_000);

    expect(await dueOf(organizationId)).toEqual([]);
    expect(await dueOf(organizationId, now + 60_000)).toEqual([{ ...notice, attempts: 1 }]);
  });

  it('that expired is not due, however long it stays in the table', async () => {
    const organizationId = newOrganizationId();
    await storeNotice(table, buildNotice(organizationId));

    expect(await dueOf(organizationId, now + 4 * dayMs)).toEqual([]);
  });

  it('waits behind no backlog of expired ones of its organization', async () => {
    const organizationId = newOrganizationId();
    for (let index = 0; index < 12; index += 1) {
      await storeNotice(table, buildNotice(organizationId, { about: `${index}` }));
    }
    const later = now + 4 * dayMs;
    const notice = buildNotice(organizationId, {}, later);
    await storeNotice(table, notice);

    for (let run = 0; run < 2; run += 1) await dueOf(organizationId, later);

    expect(await dueOf(organizationId, later)).toEqual([notice]);
  });

  it.each([
    ['item', { cause: 'of another version' }, UnreadableItemError],
    ['index entry', { gsi1sk: 'org_0#of another version' }, Error],
  ])('waits behind none whose %s cannot be read', async (_what, spoiling, failure) => {
    const [spoiled, notice] = [buildNotice(newOrganizationId()), buildNotice(newOrganizationId())];
    const { Put } = putNotice(spoiled);
    const Item = { ...Put.Item, ...spoiling };
    await table.client.send(new PutCommand({ TableName: table.name, ...Put, Item }));
    await storeNotice(table, notice);
    const unread: unknown[] = [];

    const found = await dueNoticesIn(table, now, (error) => unread.push(error));

    expect(found).toContainEqual(notice);
    expect(unread).toEqual([expect.any(failure)]);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: noticeKey(spoiled) }));
  });

  it('waits behind no page of index entries that cannot be read', async () => {
    const spoiled = Array.from({ length: pageSize }, () => buildNotice(newOrganizationId()));
    await storeItems(
      table,
      spoiled.map((one) => ({ ...putNotice(one).Put.Item, gsi1sk: 'org_0#of another version' })),
    );
    const notice = buildNotice(newOrganizationId());
    await storeNotice(table, notice);

    const found = await dueNoticesIn(table, now, () => {});

    expect(found).toContainEqual(notice);
    for (const one of spoiled) {
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: noticeKey(one) }));
    }
  });

  it('waits behind no backlog of another organization', async () => {
    const [loud, quiet] = [newOrganizationId(), newOrganizationId()];
    for (let index = 0; index < 25; index += 1) {
      await storeNotice(table, buildNotice(loud, { about: `${index}` }));
    }
    await storeNotice(table, buildNotice(quiet));

    expect((await dueOf(loud)).length).toBeLessThanOrEqual(10);
    expect(await dueOf(quiet)).toHaveLength(1);
  });

  it('is one of 20 a day, of which endpoints take no more than 10', async () => {
    const organizationId = newOrganizationId();
    const admit = async (cause: NoticeCause, about: number, at = now) => {
      const notice = buildNotice(organizationId, { cause, about: `${about}` }, at);
      await storeNotice(table, notice);
      return [await admitNotice(table, notice, at), await admitNotice(table, notice, at)];
    };
    const admitAll = async (cause: NoticeCause, count: number) => {
      const outcomes: string[] = [];
      for (let about = 0; about < count; about += 1) outcomes.push(...(await admit(cause, about)));
      return outcomes.filter((outcome) => outcome === 'admitted').length / 2;
    };

    expect(await admitAll('webhook_disabled', 11)).toBe(10);
    expect(await admitAll('key_spiking', 11)).toBe(10);
    expect(await admit('identity_lost', 0)).toEqual(['over_limit', 'over_limit']);
    expect(await admit('webhook_failing', 0, now + dayMs)).toEqual(['admitted', 'admitted']);
  });

  it('never makes the transaction fail that it stands in, and is due again', async () => {
    const organizationId = newOrganizationId();
    const first = buildNotice(organizationId);
    const second = buildNotice(organizationId, {}, now + 1);
    await storeNotice(table, first);
    await settleNotice(table, first, 'sent');

    const outcome = await transactWrite(table, [putNotice(second)]);
    await settleNotice(table, first, 'sent');

    expect(outcome).toEqual({ committed: true });
    expect(await dueOf(organizationId, now + 1)).toEqual([second]);
  });
});
