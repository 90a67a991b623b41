import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { isKnown, type KnownContact } from '#shared/contacts/contact';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import type {
  Suppression,
  SuppressionListStore,
} from '#shared/suppressions/suppression-list-store';
import { contactIdOf } from '#shared/tokens/resource-id';

/**
 * Reads a contact of the key's organization by its address.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `contact_not_found`, also for a
 *   person who was erased
 */
export async function getContact(
  credential: string | undefined,
  email: string,
  reading: Authentication & { readonly suppressions: SuppressionListStore },
): Promise<{ readonly contact: KnownContact; readonly suppressions: readonly Suppression[] }> {
  const { organizationId } = await authenticateManager(credential, reading);
  const address = parseEmailAddress(email);
  if (!address.ok) throw invalidField('email', address.reason);
  const { contact, suppressions } = await reading.suppressions.ofContact(
    contactIdOf(organizationId, address.value.identity),
  );
  if (!isKnown(contact)) throw notFound();
  return { contact, suppressions };
}

const notFound = (): ServiceError =>
  new ServiceError('contact_not_found', 'The organization has no contact with this address.');
