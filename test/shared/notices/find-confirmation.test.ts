import { describe, expect, it } from 'vitest';
import { findConfirmation } from '#shared/notices/find-confirmation';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { signToken } from '#shared/tokens/signed-token';
import {
  confirmationNow,
  confirmationTokenOf,
  keyring,
  pendingOrganization,
} from '../../support/confirmation-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organization = pendingOrganization();
const token = confirmationTokenOf(organization);
const dayMs = 86_400_000;

async function find(
  text: string | undefined,
  stored: Organization = organization,
  now = confirmationNow,
) {
  const { table } = openMemoryTable();
  await putOrganization(table, stored);
  return findConfirmation(text, { table, now: () => now, keyring: async () => keyring });
}

describe('findConfirmation', () => {
  it.each([0, 7 * dayMs - 1])('finds the organization of a link that is %d ms old', async (age) => {
    const found = await find(token, organization, confirmationNow + age);

    expect(found.organization).toEqual(organization);
  });

  it.each([
    ['without a token', undefined, organization, 0],
    ['that is altered', `${token}x`, organization, 0],
    ['that is a week old', token, organization, 7 * dayMs],
    ['of an organization that is gone', token, pendingOrganization(), 0],
    ['of another address', token, { ...organization, noticeEmail: 'new@example.com' }, 0],
    [
      'of an address that was set before and is set again',
      token,
      { ...organization, noticeEmailVersion: 'third' },
      0,
    ],
    ['of an address that was taken away', token, { ...organization, noticeEmail: undefined }, 0],
    [
      'of an email’s recipient',
      signToken(keyring, 'preferences', `${organization.id} x 9e15`),
      organization,
      0,
    ],
  ])('knows no link %s', async (_what, text, stored, age) => {
    const { noticeEmail, ...rest } = stored;
    const world = noticeEmail === undefined ? rest : { ...rest, noticeEmail };

    const error = await serviceErrorOf(() => find(text, world, confirmationNow + age));

    expect(error.code).toBe('link_not_found');
  });
});
