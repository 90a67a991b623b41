import type { ApiKey } from '#shared/access/api-key';
import { toApiKey } from '#shared/access/api-key-store';
import type { Contact } from '#shared/contacts/contact';
import { toContact } from '#shared/contacts/contact-store';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { Organization } from '#shared/organizations/organization';
import { toOrganization } from '#shared/organizations/organization-store';
import { apiKeyKey, contactKey, type Key, organizationKey } from '#shared/table/keys';
import { batchGet } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import {
  type ApiKeyId,
  contactIdOf,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';

export type SendContext = {
  readonly apiKey: ApiKey | undefined;
  readonly organization: Organization | undefined;
  readonly contactOf: (address: EmailAddress) => Contact | undefined;
};

export function openSendContextStore(table: Table) {
  /**
   * Reads key, organization and every recipient's contact in one strongly consistent BatchGetItem, so a key revoked or
   * an address suppressed a moment ago counts at once.
   *
   * @throws Error if an item can't be read. No email goes out with its suppressions unchecked.
   */
  const read = (apiKeyId: ApiKeyId, recipients: readonly EmailAddress[]): Promise<SendContext> =>
    readContext(organizationIdOf(apiKeyId), apiKeyId, recipients);

  /** For an email from the service itself, which has no key. */
  const readForService = (
    organizationId: OrganizationId,
    recipients: readonly EmailAddress[],
  ): Promise<SendContext> => readContext(organizationId, undefined, recipients);

  /** For recipients that are read once the key is known. Otherwise like `read`. */
  async function readContacts(
    organizationId: OrganizationId,
    recipients: readonly EmailAddress[],
  ): Promise<SendContext['contactOf']> {
    const contactKeys = contactKeysOf(organizationId, recipients);
    return contactsIn(contactKeys, await batchGet(table, [...contactKeys.values()]));
  }

  async function readContext(
    organizationId: OrganizationId,
    apiKeyId: ApiKeyId | undefined,
    recipients: readonly EmailAddress[],
  ): Promise<SendContext> {
    const contactKeys = contactKeysOf(organizationId, recipients);
    const keyOfApiKey = apiKeyId && apiKeyKey(apiKeyId);
    const keys = [...(keyOfApiKey ? [keyOfApiKey] : []), organizationKey(organizationId)];

    const itemOf = await batchGet(table, [...keys, ...contactKeys.values()]);

    const apiKey = keyOfApiKey && itemOf(keyOfApiKey);
    const organization = itemOf(organizationKey(organizationId));
    return {
      apiKey: apiKey && toApiKey(apiKey),
      organization: organization && toOrganization(organization),
      contactOf: contactsIn(contactKeys, itemOf),
    };
  }

  return { read, readForService, readContacts };
}

const contactKeysOf = (
  organizationId: OrganizationId,
  recipients: readonly EmailAddress[],
): ReadonlyMap<string, Key> =>
  new Map(
    recipients.map(({ identity }) => [identity, contactKey(contactIdOf(organizationId, identity))]),
  );

function contactsIn(
  contactKeys: ReadonlyMap<string, Key>,
  itemOf: (key: Key) => StoredItem | undefined,
): SendContext['contactOf'] {
  const contacts = new Map<string, Contact>();
  for (const [identity, key] of contactKeys) {
    const contact = itemOf(key);
    if (contact !== undefined) contacts.set(identity, toContact(contact));
  }
  return ({ identity }) => contacts.get(identity);
}
