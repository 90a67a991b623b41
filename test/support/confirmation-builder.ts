import { confirmationText, newConfirmationRequest } from '#shared/notices/confirmation';
import type { Organization } from '#shared/organizations/organization';
import { buildKeyring } from './keyring-builder.ts';
import { buildOrganization } from './organization-builder.ts';

export const confirmationNow = 1_750_000_000_000;
export const keyring = buildKeyring();

export const pendingOrganization = (overrides: Partial<Organization> = {}): Organization =>
  buildOrganization({
    noticeEmail: 'ops@example.com',
    noticeEmailState: 'pending',
    noticeEmailVersion: 'first',
    ...overrides,
  });

/** The token of the link that is mailed to the organization's address. */
export function confirmationTokenOf(organization: Organization, at = confirmationNow): string {
  const request = newConfirmationRequest(organization, at);
  const text = confirmationText(request, organization, { baseUrl: '', keyring });
  return /token=(\S+)/.exec(text)?.[1] ?? '';
}
