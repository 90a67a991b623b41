import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { dayOf } from '#shared/access/rate-limit';
import { openUploadBytesStore } from '#shared/attachments/upload-bytes-store';
import { uploadDayKey } from '#shared/table/keys';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const midnight = Date.UTC(2026, 10, 22);
const now = midnight + 3_600_000;

describe('the bytes of uploads in a day', () => {
  it('counts what fits, to the last byte, and nothing of what does not', async () => {
    const id = newOrganizationId();
    const count = (size: number) => openUploadBytesStore(table).count(id, now, size, 10);

    const fits = [await count(11), await count(6), await count(5), await count(4), await count(1)];

    expect(fits).toEqual([false, true, false, true, false]);
    expect(await openUploadBytesStore(table).read(id, now)).toBe(10);
  });

  it('takes an upload of just the limit as the first of a day', async () => {
    const id = newOrganizationId();

    expect(await openUploadBytesStore(table).count(id, now, 10, 10)).toBe(true);
    expect(await openUploadBytesStore(table).read(id, now)).toBe(10);
  });

  it('never lets requests at once have more than the limit', async () => {
    const id = newOrganizationId();

    const fits = await Promise.all(
      Array.from({ length: 20 }, () => openUploadBytesStore(table).count(id, now, 30, 100)),
    );

    expect(fits.filter(Boolean)).toHaveLength(3);
    expect(await openUploadBytesStore(table).read(id, now)).toBe(90);
  });

  it('counts each organization and each day in UTC for itself', async () => {
    const [id, other] = [newOrganizationId(), newOrganizationId()];

    await openUploadBytesStore(table).count(id, midnight - 1, 7, 10);
    await openUploadBytesStore(table).count(id, midnight, 8, 10);

    expect(await openUploadBytesStore(table).read(id, midnight - 1)).toBe(7);
    expect(await openUploadBytesStore(table).read(id, midnight)).toBe(8);
    expect(await openUploadBytesStore(table).read(other, midnight)).toBe(0);
  });

  it('lets the day be forgotten once it is over', async () => {
    const id = newOrganizationId();
    await openUploadBytesStore(table).count(id, now, 1, 10);

    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: uploadDayKey(id, dayOf(now)) }),
    );

    expect(Item).toMatchObject({ expiresAt: now / 1_000 + 2 * 86_400 });
  });
});
