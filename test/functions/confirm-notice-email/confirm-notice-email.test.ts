import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { confirmNoticeEmail } from '../../../functions/confirm-notice-email/confirm-notice-email.ts';
import {
  confirmationNow,
  confirmationTokenOf,
  keyring,
  pendingOrganization,
} from '../../support/confirmation-builder.ts';
import { fakeOrganizationVersions } from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

function prepare(
  versions: readonly Organization[],
  outcomes?: readonly ('stored' | 'changed_meanwhile')[],
) {
  const [first = pendingOrganization()] = versions;
  const { management, written } = fakeOrganizationVersions([first, ...versions], outcomes);
  const run = () =>
    confirmNoticeEmail(confirmationTokenOf(first), {
      ...management,
      now: () => confirmationNow,
      keyring: async () => keyring,
    });
  return { run, written };
}

describe('confirmNoticeEmail', () => {
  it('confirms the address, and audits that without it', async () => {
    const { run, written } = prepare([pendingOrganization()]);

    const confirmed = await run();

    expect(confirmed).toMatchObject({ noticeEmailState: 'confirmed', noticeEmailVersion: 'first' });
    expect(written[0]?.entry).toMatchObject({
      actor: 'notice_email',
      action: 'organization.updated',
      before: { noticeEmailState: 'pending' },
      after: { noticeEmailState: 'confirmed' },
    });
    expect(JSON.stringify(written[0]?.entry)).not.toContain('@');
  });

  it('changes nothing when the button is pressed twice', async () => {
    const { run, written } = prepare([pendingOrganization({ noticeEmailState: 'confirmed' })]);

    expect((await run()).noticeEmailState).toBe('confirmed');
    expect(written).toEqual([]);
  });

  it("doesn't confirm an address that replaced the requested one just before", async () => {
    const organization = pendingOrganization();
    const changed = {
      ...organization,
      noticeEmail: 'new@example.com',
      noticeEmailVersion: 'second',
    };
    const { run, written } = prepare([organization, changed], ['changed_meanwhile', 'stored']);

    expect((await serviceErrorOf(run)).code).toBe('link_not_found');
    expect(written).toHaveLength(1);
  });
});
