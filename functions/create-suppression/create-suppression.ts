import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import type {
  Suppression,
  SuppressionListStore,
} from '#shared/suppressions/suppression-list-store';
import type { SuppressionStore } from '#shared/suppressions/suppression-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { CreateSuppressionRequest } from './endpoint.ts';

export type SuppressionCreation = Authentication & {
  readonly suppressions: SuppressionStore;
  readonly suppressionList: SuppressionListStore;
};

/**
 * Suppresses an address by hand, with the reason `manual`. Repeating it changes nothing: the first cause stays.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `concurrent_change`
 */
export async function createSuppression(
  credential: string | undefined,
  parse: () => CreateSuppressionRequest,
  creation: SuppressionCreation,
): Promise<Suppression> {
  const { organizationId, actor } = await authenticateManager(credential, creation);
  const {
    email: { identity },
    diagnostic,
  } = parse();
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
  if (created === undefined) throw liftedMeanwhile();
  return created;
}

const liftedMeanwhile = (): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'Another request has lifted this suppression at the same time. Read the suppressions again.',
  );
