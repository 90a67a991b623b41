import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type {
  Suppression,
  SuppressionListStore,
} from '#shared/suppressions/suppression-list-store';
import type { SuppressionStore } from '#shared/suppressions/suppression-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

export type SuppressionCreation = {
  readonly now: () => number;
  readonly suppressions: Pick<SuppressionStore, 'suppressManually'>;
  readonly suppressionList: Pick<SuppressionListStore, 'ofContact'>;
};

/** Suppresses an address by hand. Repeating it changes nothing: the first cause stays. */
export async function createSuppression(
  { caller: { organizationId, actor }, body: { email, diagnostic } }: RequestTo<typeof endpoint>,
  creation: SuppressionCreation,
): Promise<Suppression> {
  const { identity } = email;
  const contactId = contactIdOf(organizationId, identity);
  const now = creation.now();
  const change = { action: 'suppression.created', target: contactId, after: { reason: 'manual' } };
  const entry = newAuditEntry(organizationId, actor, change, now);
  await creation.suppressions.suppressManually(
    organizationId,
    identity,
    { diagnostic },
    entry,
    now,
  );
  const { suppressions } = await creation.suppressionList.ofContact(contactId);
  const created = suppressions.find(({ reason }) => reason === 'manual');
  if (created !== undefined) return created;
  throw new ServiceError(
    'concurrent_change',
    'Another request lifted this suppression at the same moment. Read the suppressions again.',
  );
}
