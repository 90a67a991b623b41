import type * as z from 'zod/mini';
import type { contactEnvironment } from '#shared/config/environment';
import { openApiKeyStore } from '#shared/organizations/api-key-store';
import { getOrganization } from '#shared/organizations/organization-store';
import { openTable, type Table } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring';
import { createQueueWaker } from '#shared/webhooks/sqs-delivery-queue';
import { listCategories } from './category-store.ts';
import type { ChangePreferencesDependencies } from './change-preferences.ts';
import { createContactOutbox } from './contact-outbox.ts';
import { ensureContact, findContactIds, getContact } from './contact-store.ts';
import { readContactToken } from './contact-token.ts';
import type { IdentifyDependencies } from './identify-contact.ts';
import type { MailRecipientDependencies } from './mail-recipient.ts';
import type { UnsubscribeDependencies } from './unsubscribe-address.ts';

type ContactDependencies = IdentifyDependencies &
  ChangePreferencesDependencies &
  UnsubscribeDependencies &
  Omit<MailRecipientDependencies, 'recipientOf'>;

/** Wires the preferences operations to the table, for the functions that read or change them. */
export function createContactDependencies(
  environment: z.output<typeof contactEnvironment>,
  table: Table = openTable(environment.TABLE_NAME),
) {
  const outbox = createContactOutbox(
    table,
    createQueueWaker(environment.WEBHOOK_QUEUE_URL),
    environment.SEND_RETENTION_DAYS,
  );
  const keyring = keyringReader(environment.TOKEN_SIGNING_SECRET_ID);
  return {
    now: Date.now,
    keyring,
    apiKeys: openApiKeyStore(table),
    contactOfToken: async (token) =>
      readContactToken(await keyring(), 'preferences', token)?.contactId,
    readToken: async (purpose, token) => readContactToken(await keyring(), purpose, token),
    ensureContact: (organizationId, identity, now) =>
      ensureContact(table, organizationId, identity, now),
    findContactIds: (identity) => findContactIds(table, identity),
    getContact: (id) => getContact(table, id),
    getOrganization: (id) => getOrganization(table, id),
    listCategories: (id) => listCategories(table, id),
    savePreferences: outbox.savePreferences,
    suppress: outbox.unsubscribe,
  } satisfies ContactDependencies & { keyring: unknown };
}
