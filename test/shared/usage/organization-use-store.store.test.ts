import { expect, it } from 'vitest';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';

import { newOrganizationId } from '#shared/tokens/resource-id';
import { noteDayUse, noteOverShare, readBounds } from '#shared/usage/organization-use-store';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const day = '2026-11-22';

it('an organization keeps the highest use recorded for its latest day', async () => {
  const organization = buildOrganization({ limits: { recipientsPerDay: 9 } });
  await putOrganization(table, organization);
  const noted = async (on: string, recipients: number, stored = recipients) => {
    await noteDayUse(table, organization.id, { day: on, recipients, stored });
    return (await readBounds(table, organization.id))?.dayUse;
  };

  expect(await noted(day, 5)).toEqual({ day, recipients: 5, stored: 5 });
  expect(await noted(day, 8)).toEqual({ day, recipients: 8, stored: 8 });
  expect(await noted(day, 7)).toEqual({ day, recipients: 8, stored: 8 });
  expect(await noted(day, 8, 20)).toEqual({ day, recipients: 8, stored: 20 });
  expect(await noted('2026-11-21', 100)).toEqual({ day, recipients: 8, stored: 20 });
  const last = { day: '2026-11-23', recipients: 1, stored: 1 };
  expect(await noted('2026-11-23', 1)).toEqual(last);
  expect(await getOrganization(table, organization.id)).toEqual({ ...organization, dayUse: last });
});

it('an organization that sends more than its share is marked, and its limits are read without the rest', async () => {
  const organization = buildOrganization({ limits: { apiKeys: 3 } });
  await putOrganization(table, organization);

  await noteOverShare(table, organization.id, 1_750_000_000_000);

  expect(await readBounds(table, organization.id)).toEqual({
    limits: { apiKeys: 3 },
    overShareUntil: 1_750_000_000_000,
  });
});

it("a deleted organization isn't recreated by recording its use", async () => {
  const id = newOrganizationId();

  await noteDayUse(table, id, { day, recipients: 5, stored: 5 });
  await noteOverShare(table, id, 1);

  expect(await readBounds(table, id)).toBeUndefined();
});
