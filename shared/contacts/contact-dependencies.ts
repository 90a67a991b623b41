import type * as z from 'zod';
import type { tokenEnvironment } from '#shared/config/environment';
import { getApiKey } from '#shared/organizations/api-key-store';
import { getOrganization } from '#shared/organizations/organization-store';
import { openTable, type Table } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring';
import { listCategories } from './category-store.ts';
import type { ChangePreferencesDependencies } from './change-preferences.ts';
import {
  ensureContact,
  findContactIds,
  getContact,
  savePreferences,
  suppressContact,
} from './contact-store.ts';
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
  environment: z.output<typeof tokenEnvironment>,
  table: Table = openTable(environment.TABLE_NAME),
) {
  const keyring = keyringReader(environment.TOKEN_SIGNING_SECRET_ID);
  return {
    now: Date.now,
    keyring,
    getApiKey: (id) => getApiKey(table, id),
    contactOfToken: async (token) =>
      readContactToken(await keyring(), 'preferences', token)?.contactId,
    readToken: async (purpose, token) => readContactToken(await keyring(), purpose, token),
    ensureContact: (organizationId, identity, now) =>
      ensureContact(table, { organizationId, identity }, now),
    findContactIds: (identity) => findContactIds(table, identity),
    getContact: (id) => getContact(table, id),
    getOrganization: (id) => getOrganization(table, id),
    listCategories: (id) => listCategories(table, id),
    savePreferences: (id, update, now) => savePreferences(table, id, update, now),
    suppress: (organizationId, identity, now) =>
      suppressContact(table, { organizationId, identity }, 'unsubscribe', now),
  } satisfies ContactDependencies & { keyring: unknown };
}
