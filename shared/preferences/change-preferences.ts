import { isKnown, isSubscribed, type KnownContact } from '#shared/contacts/contact';
import { getContact } from '#shared/contacts/contact-store';
import { ServiceError } from '#shared/errors/service-error';
import { backOff } from '#shared/timing/backoff';
import { type ContactId, organizationIdOf } from '#shared/tokens/resource-id';
import { listCategories } from './category-store.ts';
import { type ContactReporting, writePreferences } from './contact-outbox.ts';
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
  reporting: ContactReporting,
): Promise<Preferences> =>
  decideAndStore(contactId, reporting, (contact, categories) => {
    const unknown = unknownCategories(changes, categories);
    if (unknown.length > 0) throw unknownCategory(unknown);
    return preferencesUpdateOf(contact, categories, changes, isProven);
  });

/** The subscriptions stay. */
export const resubscribe = (
  contactId: ContactId,
  reporting: ContactReporting,
): Promise<Preferences> =>
  decideAndStore(contactId, reporting, ({ unsubscribe }) => ({
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
  reporting: ContactReporting,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (attempt > 1) await backOff(attempt - 1, 10, 100);
    const contact = await getContact(reporting.table, contactId);
    if (contact === undefined) throw new ServiceError('contact_not_found');
    if (!isSubscribed(contact, categoryKey)) return;
    const update = { subscriptions: { [categoryKey]: false }, liftsUnsubscribe: false };
    if (await writePreferences(contact, update, reporting)) return;
  }
  throw tooManyChanges();
}

/** Each failure means that another change of the contact was stored. */
const maxAttempts = 10;

/** Decides again if the contact changed before the write. */
async function decideAndStore(
  contactId: ContactId,
  reporting: ContactReporting,
  decide: (contact: KnownContact, categories: readonly Category[]) => PreferencesUpdate,
): Promise<Preferences> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (attempt > 1) await backOff(attempt - 1, 10, 100);
    const [contact, categories] = await Promise.all([
      getContact(reporting.table, contactId),
      listCategories(reporting.table, organizationIdOf(contactId)),
    ]);
    if (!isKnown(contact)) throw new ServiceError('contact_not_found');
    const update = decide(contact, categories);
    if (isNoUpdate(update) || (await writePreferences(contact, update, reporting))) {
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
