import * as z from 'zod/mini';
import { contactEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageResponse } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import { preferencesPage } from '#shared/pages/preferences-page';
import { type Preferences, preferencesOf } from '#shared/preferences/preferences';
import {
  findKnownTokenHolder,
  type MailedContacts,
  openMailedContacts,
} from '#shared/sends/token-holder';
import { contactPartitions } from '#shared/table/keys';

type PreferencesView = {
  readonly organizationName: string;
  readonly preferences: Preferences;
  readonly unsubscribedFromAll: boolean;
};

export const endpoint = defineEndpoint(
  {
    route: 'GET /preferences',
    access: 'anybody',
    query: z.object({ token: z.optional(z.string()) }),
    answers: { 200: { body: htmlPage, description: 'The page.' } },
    errors: ['contact_not_found', 'sender_gone'],
    isForPeople: true,
    uses: openMailedContacts,
    lambda: {
      stack: 'Links',
      environment: contactEnvironment,
      reservation: 'links',
      tableActions: ['GetItem', 'Query', 'UpdateItem'],
      writesOnlyIn: { UpdateItem: [contactPartitions] },
      readsSecrets: ['tokenSigningKey'],
    },
    words: {
      section: 'Links in emails',
      summary: 'Show the preferences page',
      description: 'The preferences link of an email leads here. Opening it changes nothing.',
      fields: { token: 'The token from the link.' },
      example: { query: { token: 'v1.k1.…' } },
    },
  },
  async ({ query: { token }, linkHost }, contacts) => {
    const view = await showPreferences(token, contacts, linkHost);
    const form = { action: `/preferences?token=${token}` };
    return pageResponse(200, preferencesPage({ ...view, saved: false, form }));
  },
);

/** The token holder's. Following the link changes nothing. */
export async function showPreferences(
  token: string | undefined,
  contacts: MailedContacts,
  linkHost?: string,
): Promise<PreferencesView> {
  const { organization, contact } = await findKnownTokenHolder(
    'preferences',
    token,
    contacts,
    linkHost,
  );
  return {
    organizationName: organization.name,
    preferences: preferencesOf(contact, await contacts.categories.list(organization.id)),
    unsubscribedFromAll: contact.unsubscribe !== undefined,
  };
}
