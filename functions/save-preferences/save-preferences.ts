import * as z from 'zod/mini';
import { knowsRetention } from '#shared/aws/settings';
import { contactEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageResponse } from '#shared/http/page-response';
import { parseFormLists } from '#shared/http/parse-request';
import { htmlPage } from '#shared/http/response-body';
import { type PreferencesChoice, preferencesFormSchema } from '#shared/pages/preferences-form';
import { preferencesPage } from '#shared/pages/preferences-page';
import { listCategories } from '#shared/preferences/category-store';
import { changePreferences, resubscribe } from '#shared/preferences/change-preferences';
import { type ContactReporting, unsubscribeContact } from '#shared/preferences/contact-outbox';
import {
  preferencesOf,
  type Subscription,
  unknownCategories,
} from '#shared/preferences/preferences';
import { findKnownTokenHolder, type TokenHolder } from '#shared/send-history/token-holder';
import { contactPartitions } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

export const endpoint = defineEndpoint(
  {
    route: 'POST /preferences',
    access: 'anybody',
    query: z.object({ token: z.optional(z.string()) }),
    body: preferencesFormSchema,
    accepts: ['application/x-www-form-urlencoded', 'multipart/form-data'],
    isBodyOptional: true,
    answers: { 200: { body: htmlPage, description: 'The page again, with the stored choices.' } },
    errors: [
      'malformed_body',
      'too_large',
      'contact_not_found',
      'sender_gone',
      'concurrent_change',
    ],
    isForPeople: true,
    uses: {
      keyring: readsKeyring,
      wakeWebhooks: wakesWebhooks,
      sendRetentionDays: knowsRetention,
    },
    lambda: {
      stack: 'Links',
      environment: contactEnvironment,
      reservation: 'links',
      tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      writesOnlyIn: {
        PutItem: [contactPartitions],
        UpdateItem: [contactPartitions],
        DeleteItem: [contactPartitions],
      },
    },
    words: {
      section: 'Links in emails',
      summary: 'Save a person’s preferences',
      description: 'Stores the form of the preferences page.',
      fields: {
        token: 'The token from the link.',
        shown: 'Each category that the page showed. All others stay as they are.',
        category: 'Each category that is ticked.',
        unsubscribeAll: 'The button that ends all bulk email.',
        resubscribe: 'The button that lifts that again.',
      },
      example: {
        query: { token: 'v1.k1.…' },
        body: { shown: ['newsletter'], category: ['newsletter'] },
      },
    },
  },
  async ({ query: { token }, readFields, linkHost }, service) => {
    const find = () => findKnownTokenHolder('preferences', token, service, linkHost);
    const holder = await find();
    await savePreferences(holder, parseFormLists(endpoint.body, await readFields()), service);

    const { organization, contact } = await find();
    const page = preferencesPage({
      organizationName: organization.name,
      preferences: preferencesOf(contact, await listCategories(service.table, organization.id)),
      unsubscribedFromAll: contact.unsubscribe !== undefined,
      saved: true,
      form: { action: `/preferences?token=${token}` },
    });
    return pageResponse(200, page);
  },
);

/** Idempotent: sending the form again changes nothing. */
export async function savePreferences(
  { organization, contact }: TokenHolder,
  choice: PreferencesChoice,
  reporting: ContactReporting,
): Promise<void> {
  switch (choice.kind) {
    case 'unsubscribeAll':
      return unsubscribeContact(contact, reporting);
    case 'resubscribe':
      await resubscribe(contact.id, reporting);
      return;
    case 'save': {
      // After leaving everything no box is ticked. Saving the unchanged page must not end a category for good.
      const isAsShown = contact.unsubscribe !== undefined && !choice.changes.some(isYes);
      if (isAsShown) return;
      const changes = await withoutGone(choice.changes, organization.id, reporting.table);
      const contactId = contact.id;
      await changePreferences({ contactId, isProven: true }, changes, reporting);
    }
  }
}

const isYes = ({ subscribed }: Subscription): boolean => subscribed;

/** A category may be deleted while the page is open; the other choices still apply. */
async function withoutGone(
  changes: readonly Subscription[],
  id: OrganizationId,
  table: Table,
): Promise<readonly Subscription[]> {
  const gone = unknownCategories(changes, await listCategories(table, id));
  const goneKeys = new Set(gone.map(({ categoryKey }) => categoryKey));
  return changes.filter(({ categoryKey }) => !goneKeys.has(categoryKey));
}
