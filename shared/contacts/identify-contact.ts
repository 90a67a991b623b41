import { invalidField, ServiceError } from '#shared/errors/service-error';
import { type Authentication, authenticateCaller } from '#shared/organizations/authenticate-caller';
import type { Scope } from '#shared/organizations/scopes';
import { type ContactId, contactIdOf, organizationIdOf } from '#shared/tokens/resource-id';
import { parseEmailAddress } from './email-address.ts';

/** How a caller of the preferences endpoints says whom it means, and who it is. */
export type ContactQuery = {
  readonly token: string | undefined;
  readonly email: string | undefined;
  readonly credential: string | undefined;
};

export type IdentifiedContact = {
  readonly contactId: ContactId;
  /** By a token or a key, not by a bare address, which anybody may know. */
  readonly isProven: boolean;
};

export type IdentifyDependencies = Authentication & {
  /** The contact a preferences token names; `undefined` for a token that is not ours. */
  readonly contactOfToken: (token: string) => Promise<ContactId | undefined>;
  readonly findContactIds: (identity: string) => Promise<readonly ContactId[]>;
};

/**
 * Finds whom a preferences request is about. A token wins over an address; a key confines both to its
 * organization; an address alone must be known to one organization only.
 *
 * @param scope what a key needs, when one is presented.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `ambiguous_contact`,
 *   `contact_not_found`
 */
export async function identifyContact(
  query: ContactQuery,
  scope: Scope,
  dependencies: IdentifyDependencies,
): Promise<IdentifiedContact> {
  const apiKey = await authenticateCaller(query.credential, scope, dependencies);
  const keyOrganization = apiKey && organizationIdOf(apiKey.id);
  if (query.token !== undefined) {
    const contactId = await dependencies.contactOfToken(query.token);
    const isForeign =
      contactId !== undefined &&
      keyOrganization !== undefined &&
      organizationIdOf(contactId) !== keyOrganization;
    if (contactId === undefined || isForeign) throw contactNotFound();
    return { contactId, isProven: true };
  }
  if (query.email === undefined) {
    throw invalidField('token', 'give a token or an email to say whose preferences are meant');
  }
  const address = parseEmailAddress(query.email);
  if (!address.ok) throw invalidField('email', address.reason);

  const { identity } = address.value;
  return keyOrganization === undefined
    ? { contactId: await onlyContactOf(identity, dependencies), isProven: false }
    : { contactId: contactIdOf(keyOrganization, identity), isProven: true };
}

async function onlyContactOf(
  identity: string,
  { findContactIds }: IdentifyDependencies,
): Promise<ContactId> {
  const [contactId, ...others] = await findContactIds(identity);
  if (contactId === undefined) throw contactNotFound();
  if (others.length === 0) return contactId;
  throw new ServiceError(
    'ambiguous_contact',
    'Several organizations know this address. Use an API key or a token to say which one is meant.',
  );
}

export const contactNotFound = (): ServiceError =>
  new ServiceError('contact_not_found', 'There is no such contact, or the token is not valid.');
