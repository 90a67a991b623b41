import { isKnown, isSubscribed, type KnownContact } from '#shared/contacts/contact';
import { ServiceError } from '#shared/errors/service-error';
import { backOff } from '#shared/timing/backoff';
import { type ContactId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Contacts } from './contacts.ts';
import type { IdentifiedContact } from './find-contact.ts';
import {
  type Category,
  isNoUpdate,
  type Preferences,
  type PreferencesUpdate,
  preferencesOf,
  preferencesUpdateOf,
  type Subscription,
  unknownCategories,
  updatedContact,
} from './preferences.ts';

/**
 * @returns the new state. If one of the changes names an unknown category, nothing changes. A repeated change sends
 *   no webhook.
 */
export const changePreferences = (
  { contactId, isProven }: IdentifiedContact,
  changes: readonly Subscription[],
  contacts: Contacts,
): Promise<Preferences> =>
  decideAndStore(contactId, contacts, (contact, categories) => {
    const unknown = unknownCategories(changes, categories);
    if (unknown.length > 0) throw unknownCategory(unknown);
    return preferencesUpdateOf(contact, categories, changes, isProven);
  });

/** The subscriptions stay. */
export const resubscribe = (contactId: ContactId, contacts: Contacts): Promise<Preferences> =>
  decideAndStore(contactId, contacts, ({ unsubscribe }) => ({
    subscriptions: {},
    liftsUnsubscribe: unsubscribe !== undefined,
  }));

/**
 * Also stored for a person who has unsubscribed from everything: that alone doesn't stop a transactional policy. Safe
 * to repeat.
 */
export async function leaveCategory(
  contactId: ContactId,
  categoryKey: string,
  { store, outbox, now }: Contacts,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (attempt > 1) await backOff(attempt - 1, 10, 100);
    const contact = await store.get(contactId);
    if (contact === undefined) throw new ServiceError('contact_not_found');
    if (!isSubscribed(contact, categoryKey)) return;
    const update = { subscriptions: { [categoryKey]: false }, liftsUnsubscribe: false };
    if (await outbox.storePreferences(contact, update, now())) return;
  }
  throw tooManyChanges();
}

/** Each failure means that another change of the contact was stored. */
const maxAttempts = 10;

/** Decides again if the contact changed before the write. */
async function decideAndStore(
  contactId: ContactId,
  { store, categories: categoryStore, outbox, now }: Contacts,
  decide: (contact: KnownContact, categories: readonly Category[]) => PreferencesUpdate,
): Promise<Preferences> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (attempt > 1) await backOff(attempt - 1, 10, 100);
    const [contact, categories] = await Promise.all([
      store.get(contactId),
      categoryStore.list(organizationIdOf(contactId)),
    ]);
    if (!isKnown(contact)) throw new ServiceError('contact_not_found');
    const update = decide(contact, categories);
    if (isNoUpdate(update) || (await outbox.storePreferences(contact, update, now()))) {
      return preferencesOf(updatedContact(contact, update), categories);
    }
  }
  throw tooManyChanges();
}

const tooManyChanges = (): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'Another request is changing the same preferences. Nothing was changed. Repeat the request.',
  );

const unknownCategory = (unknown: ReturnType<typeof unknownCategories>): ServiceError =>
  new ServiceError('unknown_category', undefined, {
    errors: unknown.map(({ index, categoryKey }) => ({
      path: `subscriptions.${index}.categoryKey`,
      message: `no category "${categoryKey}"`,
    })),
  });
