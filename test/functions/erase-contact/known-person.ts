import { findSendsTo } from '#shared/send-history/send-list-store';
import { recordFailure } from '#shared/sending/send-store';
import type { Table } from '#shared/table/table-client';
import { contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import {
  endpoint,
  endpoint as eraseContact,
} from '../../../functions/erase-contact/erase-contact.ts';
import { claimNow, claimSend } from '../../support/claim-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { noContentErasure } from '../../support/memory-contents.ts';
import { keysOfThoseHolding, type WholeTable } from '../../support/organization-items.ts';
import {
  ann,
  buildEmail,
  erasedAt,
  storeContact,
  storeEmail,
} from '../../support/recipient-builder.ts';
import { surroundings } from '../../support/surroundings.ts';
import { unexpected } from '../../support/unexpected.ts';

export const storesOn = (on: Table) => ({
  table: on,
  contents: noContentErasure,
  providerList: { remove: unexpected('remove'), forget: async () => {} },
  limitsOfDeployment: {},
});

/** The request of a manager to erase Ann. */
export const requestToErase = ({ caller }: ReturnType<typeof buildManager>) => ({
  caller,
  path: endpoint.path.parse({ email: ann }),
  query: {},
});

const suppressedSend = (organizationId: OrganizationId) =>
  buildEmail(organizationId, { status: 'suppressed' });

/** Stores an organization that knows Ann, whose address bounced, and has sent to her in every way. */
export async function knowAnn({ table, readItems }: WholeTable) {
  const manager = buildManager();
  const { organizationId } = manager;
  await storeContact(table, organizationId);
  const sent = await storeEmail(table, organizationId);
  const inDoubt = buildEmail(organizationId);
  const failed = buildEmail(organizationId);
  for (const send of [inDoubt, failed, suppressedSend(organizationId)])
    await claimSend(table, send);
  await recordFailure(table, failed, 'MessageRejected', claimNow + 1_000);

  const erase = (on: Table = table, query: { readonly sends?: 'true' } = {}, now = erasedAt) =>
    eraseContact.run(
      { ...surroundings, ...requestToErase(manager), query },
      { now: () => now, ...storesOn(on) },
    );
  const contactId = contactIdOf(organizationId, ann);
  return {
    erase,
    organizationId,
    contactId,
    sent,
    keysHoldingAnn: async () => keysOfThoseHolding(await readItems(organizationId), ann),
    findSends: () => findSendsTo(table, contactId, { before: undefined, limit: 100 }),
  };
}

/** How many writes erase her: 4 sends twice each, 6 rows of one of them, the contact and 2 of its deliveries. */
export const writesOfErasure = 4 * 2 + 6 + 1 + 2;

/** What is left of her contact. */
export const erasedContact = (contactId: string) => ({
  id: contactId,
  bounce: { at: claimNow },
  subscriptions: {},
  createdAt: claimNow,
  updatedAt: erasedAt,
  erasedAt,
});
