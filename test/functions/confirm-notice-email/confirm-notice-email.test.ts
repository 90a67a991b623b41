import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { confirmNoticeEmail } from '../../../functions/confirm-notice-email/confirm-notice-email.ts';
import { openAccount } from '../../support/account.ts';
import {
  confirmationTokenOf,
  keyring,
  pendingOrganization,
} from '../../support/confirmation-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/** An organization that has asked its address for notices. */
async function openPending(given: Partial<Organization> = {}) {
  const account = await openAccount(pendingOrganization(given));
  const token = confirmationTokenOf(account.organization);
  const confirm = () => confirmNoticeEmail(token, { ...account, keyring: async () => keyring });
  return { ...account, confirm };
}

describe('confirmNoticeEmail', () => {
  it('confirms the address, and audits that without it', async () => {
    const account = await openPending();

    const confirmed = await account.confirm();

    const audit = await account.audit();
    expect(confirmed).toMatchObject({ noticeEmailState: 'confirmed', noticeEmailVersion: 'first' });
    expect(await account.stored()).toEqual(confirmed);
    expect(audit).toEqual([
      expect.objectContaining({
        ...{ actor: 'notice_email', action: 'organization.updated' },
        before: { noticeEmailState: 'pending' },
        after: { noticeEmailState: 'confirmed' },
      }),
    ]);
    expect(JSON.stringify(audit)).not.toContain('@');
  });

  it('changes nothing when the button is pressed twice', async () => {
    const account = await openPending();
    const confirmed = await account.confirm();
    account.clock.at += 1000;

    expect(await account.confirm()).toEqual(confirmed);
    expect(await account.audit()).toHaveLength(1);
  });

  it("doesn't confirm an address that replaced the requested one just before", async () => {
    const account = await openPending();
    const changed = { noticeEmail: 'new@example.com', noticeEmailVersion: 'second' };
    account.beforeNextWrite(() => account.change(changed));

    const error = await serviceErrorOf(account.confirm);

    expect(error.code).toBe('link_not_found');
    expect(await account.stored()).toMatchObject({ ...changed, noticeEmailState: 'pending' });
  });
});
