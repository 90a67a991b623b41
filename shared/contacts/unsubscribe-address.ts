import { invalidField } from '#shared/errors/service-error';
import { type Authentication, authenticateKey } from '#shared/organizations/authenticate-caller';
import type { Organization } from '#shared/organizations/organization';
import {
  type ContactId,
  contactIdOf,
  type OrganizationId,
  organizationIdOf,
  organizationIdSchema,
} from '#shared/tokens/resource-id';
import type { ContactRef } from './contact.ts';
import { parseEmailAddress } from './email-address.ts';

/** A request to unsubscribe an address, without a token from one of its mails. */
export type UnsubscribeRequest = {
  readonly email: string | undefined;
  readonly organizationId: string | undefined;
  readonly credential: string | undefined;
};

export type UnsubscribeDependencies = Authentication & {
  readonly findContactIds: (identity: string) => Promise<readonly ContactId[]>;
  readonly getOrganization: (id: OrganizationId) => Promise<Organization | undefined>;
  readonly suppress: (contact: ContactRef, now: number) => Promise<void>;
};

/**
 * Ends bulk email to an address: from the key's organization, else from the one that is named, else
 * from every one that knows it. Doing it again changes nothing, and an address that nobody knows is no
 * error: the caller learns nothing of who is on a list.
 *
 * @throws ServiceError `invalid_api_key`, `validation_failed`
 */
export async function unsubscribeAddress(
  request: UnsubscribeRequest,
  dependencies: UnsubscribeDependencies,
): Promise<void> {
  const address = parseEmailAddress(request.email ?? '');
  if (!address.ok) throw invalidField('email', `give a token, or an email: ${address.reason}`);
  const { identity } = address.value;
  const organizations = await organizationsFor(request, identity, dependencies);
  const now = dependencies.now();
  const contacts = organizations.map((id) => ({
    id: contactIdOf(id, identity),
    email: identity,
  }));
  await Promise.all(contacts.map((contact) => dependencies.suppress(contact, now)));
}

async function organizationsFor(
  { credential, organizationId }: UnsubscribeRequest,
  identity: string,
  dependencies: UnsubscribeDependencies,
): Promise<readonly OrganizationId[]> {
  if (credential !== undefined) {
    const apiKey = await authenticateKey(credential, dependencies);
    return [organizationIdOf(apiKey.id)];
  }
  if (organizationId === undefined) {
    const contactIds = await dependencies.findContactIds(identity);
    return contactIds.map(organizationIdOf);
  }
  const named = organizationIdSchema.safeParse(organizationId).data;
  if (named === undefined || (await dependencies.getOrganization(named)) === undefined) {
    throw invalidField('organizationId', 'no such organization');
  }
  return [named];
}
