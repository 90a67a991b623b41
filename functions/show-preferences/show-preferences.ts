import * as z from 'zod/mini';
import { contactEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageResponse } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import { preferencesPage } from '#shared/pages/preferences-page';
import { listCategories } from '#shared/preferences/category-store';
import { type Preferences, preferencesOf } from '#shared/preferences/preferences';
import { findKnownTokenHolder, type TokenReading } from '#shared/send-history/token-holder';
import { contactPartitions } from '#shared/table/keys';
import { readsKeyring } from '#shared/tokens/keyring-reader';

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
    uses: { keyring: readsKeyring },
    lambda: {
      stack: 'Links',
      environment: contactEnvironment,
      reservation: 'links',
      tableActions: ['GetItem', 'Query', 'UpdateItem'],
      writesOnlyIn: { UpdateItem: [contactPartitions] },
    },
    words: {
      section: 'Links in emails',
      summary: 'Show the preferences page',
      description: 'The preferences link of an email leads here. Opening it changes nothing.',
      fields: { token: 'The token from the link.' },
      example: { query: { token: 'v1.k1.…' } },
    },
  },
  async ({ query: { token }, linkHost }, reading) => {
    const view = await showPreferences(token, reading, linkHost);
    const form = { action: `/preferences?token=${token}` };
    return pageResponse(200, preferencesPage({ ...view, saved: false, form }));
  },
);

/** The token holder's. Following the link changes nothing. */
export async function showPreferences(
  token: string | undefined,
  reading: TokenReading,
  linkHost?: string,
): Promise<PreferencesView> {
  const { organization, contact } = await findKnownTokenHolder(
    'preferences',
    token,
    reading,
    linkHost,
  );
  return {
    organizationName: organization.name,
    preferences: preferencesOf(contact, await listCategories(reading.table, organization.id)),
    unsubscribedFromAll: contact.unsubscribe !== undefined,
  };
}
