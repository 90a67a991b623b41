import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import type { Keyring } from '#shared/tokens/signed-token';
import { type Confirmation, isConfirmedBy, readConfirmation } from './confirmation.ts';

export type NoticeConfirming = {
  readonly now: () => number;
  readonly keyring: () => Promise<Keyring>;
  readonly table: Table;
};

/** Finds it as long as the organization has the address that the link was mailed to. */
export async function findConfirmation(
  token: string | undefined,
  { table, now, keyring }: NoticeConfirming,
): Promise<{ readonly confirmation: Confirmation; readonly organization: Organization }> {
  const confirmation =
    token === undefined ? undefined : readConfirmation(await keyring(), token, now());
  const organization = confirmation && (await getOrganization(table, confirmation.organizationId));
  if (!confirmation || !organization || !isConfirmedBy(organization, confirmation)) {
    throw new ServiceError('link_not_found');
  }
  return { confirmation, organization };
}
