import type { SuppressionReason } from '#shared/contacts/contact';
import type { Organization } from '#shared/organizations/organization';
import type { ProviderListRemoval } from '#shared/suppressions/ses-suppression-list';
import type { SuppressionDetails } from '#shared/suppressions/suppression';
import {
  getSuppressedContact,
  readSuppressions,
} from '#shared/suppressions/suppression-list-store';
import { removeSuppressions, suppressAddress } from '#shared/suppressions/suppression-store';
import type { Table } from '#shared/table/table-client';
import { contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import { openAccount } from './account.ts';
import { anyEntry } from './audit-entry-builder.ts';
import { farExpiry } from './delivery-builder.ts';
import { surroundings } from './surroundings.ts';

const ann = 'ann@example.com';

/** What a table lists of an organization, newest first; all of it unless told. */
export const listSuppressions = async (
  table: Table,
  organizationId: OrganizationId,
  selection: object = {},
) => (await readSuppressions(table, organizationId, { limit: 100, ...selection })).found;

export const suppressAnn = (
  table: Table,
  organizationId: OrganizationId,
  reason: SuppressionReason,
  now: number,
  given: SuppressionDetails = {},
) => suppressAddress(table, organizationId, { identity: ann, reason, details: given }, now);

/** An account, and SES's own list of the addresses to which its emails bounced. */
export async function openSuppressionAccount(given: Partial<Organization> = {}) {
  const account = await openAccount(given);
  const { table, organizationId, now } = account;
  const listed = new Set<string>();
  const onProvider = {
    before: async (_spellings: readonly string[]): Promise<unknown> => undefined,
  };
  const take = async (of: OrganizationId, spellings: readonly string[]) => {
    await onProvider.before(spellings);
    if (of !== organizationId) throw new Error('another organization’s list');
    return spellings.filter((one) => listed.delete(one)).length > 0;
  };
  const providerList: ProviderListRemoval = {
    remove: (_table, of, spellings) => take(of, spellings),
    forget: async (of, spellings) => {
      await take(of, spellings);
    },
  };
  return {
    ...account,
    ...surroundings,
    sendRetentionDays: 90,
    wakeQueue: async (_deliveries: readonly DeliveryReference[]) => {},
    providerList,
    /** The spellings on SES's own list. */
    listed,
    /** What happens right before SES is asked to remove an address: an error, or a pause. */
    onProvider,
    suppress: (reason: SuppressionReason, details: SuppressionDetails = {}, email = ann) =>
      suppressAddress(table, organizationId, { identity: email, reason, details }, now()),
    /** An email to it bounced or drew a complaint, so SES lists the address as sent to. */
    suppressByEvent: async (
      reason: 'bounce' | 'complaint',
      { address, ...details }: SuppressionDetails = {},
      email = ann,
    ) => {
      listed.add(address ?? email);
      const event = { providerMessageId: 'message-1', address, ...details };
      await suppressAddress(
        table,
        organizationId,
        { identity: email, reason, details: event },
        now(),
      );
    },
    /** Another request lifts it. */
    liftElsewhere: (reason: SuppressionReason, email = ann) =>
      removeSuppressions(
        table,
        { id: contactIdOf(organizationId, email) },
        [{ reason, at: now() }],
        now(),
        { entry: anyEntry(), deliverySettings: { subscriptions: {}, expiresAt: farExpiry } },
      ),
    suppressionsOf: async (email = ann) =>
      (await getSuppressedContact(table, contactIdOf(organizationId, email))).suppressions,
    /** All that are listed, newest first. */
    all: () => listSuppressions(table, organizationId),
  };
}

export type SuppressionAccount = Awaited<ReturnType<typeof openSuppressionAccount>>;
