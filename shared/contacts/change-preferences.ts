import { ServiceError } from '#shared/errors/service-error';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { isKnown } from './contact.ts';
import type { Contacts } from './contacts.ts';
import { contactNotFound, type IdentifiedContact } from './identify-contact.ts';
import {
  type Preferences,
  preferencesOf,
  preferencesUpdateOf,
  type Subscription,
  unknownCategories,
} from './preferences.ts';

/**
 * Changes a contact's subscriptions and answers the new state. If one of the changes names no category,
 * nothing is changed. Repeating a change changes nothing more.
 *
 * @throws ServiceError `contact_not_found`, `unknown_category`
 */
export async function changePreferences(
  { contactId, isProven }: IdentifiedContact,
  changes: readonly Subscription[],
  contacts: Contacts,
): Promise<Preferences> {
  const [contact, categories] = await Promise.all([
    contacts.store.get(contactId),
    contacts.categories.list(organizationIdOf(contactId)),
  ]);
  if (!isKnown(contact)) throw contactNotFound();

  const unknown = unknownCategories(changes, categories);
  if (unknown.length > 0) throw unknownCategory(unknown);

  const update = preferencesUpdateOf(contact, categories, changes, isProven);
  await contacts.outbox.storePreferences(contactId, update, contacts.now());
  const { unsubscribe, ...subscribed } = {
    ...contact,
    subscriptions: { ...contact.subscriptions, ...update.subscriptions },
  };
  const isUnsubscribed = unsubscribe !== undefined && !update.liftsUnsubscribe;
  return preferencesOf(isUnsubscribed ? { ...subscribed, unsubscribe } : subscribed, categories);
}

const unknownCategory = (unknown: ReturnType<typeof unknownCategories>): ServiceError =>
  new ServiceError(
    'unknown_category',
    'Nothing was changed: the organization has no such category.',
    {
      errors: unknown.map(({ index, categoryKey }) => ({
        path: `subscriptions.${index}.categoryKey`,
        message: `no category "${categoryKey}"`,
      })),
    },
  );
