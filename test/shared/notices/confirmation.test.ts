import { expect, it } from 'vitest';
import { readConfirmation } from '#shared/notices/confirmation';
import {
  confirmationNow as asked,
  confirmationTokenOf,
  keyring,
  pendingOrganization,
} from '../../support/confirmation-builder.ts';

const weekMs = 7 * 86_400_000;

it('confirms with a link of an email for a week, and not a moment longer', () => {
  const organization = pendingOrganization();
  const token = confirmationTokenOf(organization, asked);

  expect(readConfirmation(keyring, token, asked + weekMs - 1)).toMatchObject({
    organizationId: organization.id,
  });
  expect(readConfirmation(keyring, token, asked + weekMs)).toBeUndefined();
});
