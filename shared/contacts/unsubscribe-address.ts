import { invalidField } from '#shared/errors/service-error';
import { authenticateKey } from '#shared/organizations/authenticate-caller';
import {
  contactIdOf,
  type OrganizationId,
  organizationIdOf,
  organizationIdSchema,
} from '#shared/tokens/resource-id';
import type { Contacts } from './contacts.ts';
import { parseEmailAddress } from './email-address.ts';

/** A request to unsubscribe an address, without a token from one of its emails. */
export type UnsubscribeRequest = {
  readonly email: string | undefined;
  readonly organizationId: string | undefined;
  readonly credential: string | undefined;
};

/**
 * Ends bulk email to an address. It ends for the organization of the key, else for the one that is named,
 * else for every one that knows the address. Doing it again changes nothing. An unknown address is no
 * error, so the caller does not learn who is on a list.
 *
 * @throws ServiceError `invalid_api_key`, `validation_failed`
 */
export async function unsubscribeAddress(
  request: UnsubscribeRequest,
  contacts: Contacts,
): Promise<void> {
  const address = parseEmailAddress(request.email ?? '');
  if (!address.ok) throw invalidField('email', `give a token, or an email: ${address.reason}`);
  const { identity } = address.value;
  const organizations = await organizationsFor(request, identity, contacts);
  const now = contacts.now();
  await Promise.all(
    organizations.map((id) =>
      contacts.outbox.unsubscribe({ id: contactIdOf(id, identity), email: identity }, now),
    ),
  );
}

async function organizationsFor(
  { credential, organizationId }: UnsubscribeRequest,
  identity: string,
  contacts: Contacts,
): Promise<readonly OrganizationId[]> {
  if (credential !== undefined) {
    const apiKey = await authenticateKey(credential, contacts);
    return [organizationIdOf(apiKey.id)];
  }
  if (organizationId === undefined) {
    const contactIds = await contacts.store.findIds(identity);
    return contactIds.map(organizationIdOf);
  }
  const named = organizationIdSchema.safeParse(organizationId).data;
  if (named === undefined || (await contacts.organizations.get(named)) === undefined) {
    throw invalidField('organizationId', 'no such organization');
  }
  return [named];
}
