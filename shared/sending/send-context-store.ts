import type { ApiKey } from '#shared/access/api-key';
import { toApiKey } from '#shared/access/api-key-store';
import type { Contact } from '#shared/contacts/contact';
import { toContact } from '#shared/contacts/contact-store';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { Organization } from '#shared/organizations/organization';
import { toOrganization } from '#shared/organizations/organization-store';
import { batchGet } from '#shared/table/batch-get';
import { contactKey } from '#shared/table/contact-keys';
import { apiKeyKey, organizationKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
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

  async function readContext(
    organizationId: OrganizationId,
    apiKeyId: ApiKeyId | undefined,
    recipients: readonly EmailAddress[],
  ): Promise<SendContext> {
    const contactKeys = new Map(
      recipients.map(({ identity }) => [
        identity,
        contactKey(contactIdOf(organizationId, identity)),
      ]),
    );
    const keyOfApiKey = apiKeyId && apiKeyKey(apiKeyId);
    const keys = [...(keyOfApiKey ? [keyOfApiKey] : []), organizationKey(organizationId)];

    const itemOf = await batchGet(table, [...keys, ...contactKeys.values()]);

    const apiKey = keyOfApiKey && itemOf(keyOfApiKey);
    const organization = itemOf(organizationKey(organizationId));
    const contacts = new Map<string, Contact>();
    for (const [identity, key] of contactKeys) {
      const contact = itemOf(key);
      if (contact !== undefined) contacts.set(identity, toContact(contact));
    }
    return {
      apiKey: apiKey && toApiKey(apiKey),
      organization: organization && toOrganization(organization),
      contactOf: ({ identity }) => contacts.get(identity),
    };
  }

  return { read, readForService };
}
