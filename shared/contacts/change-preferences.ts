import { ServiceError } from '#shared/errors/service-error';
import { type ContactId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Category } from './category.ts';
import { type Contact, isKnown } from './contact.ts';
import { contactNotFound, type IdentifiedContact } from './identify-contact.ts';
import {
  type Preferences,
  type PreferencesUpdate,
  preferencesOf,
  type Subscription,
  unknownCategories,
  updatePreferences,
} from './preferences.ts';

export type ChangePreferencesDependencies = {
  readonly now: () => number;
  readonly getContact: (id: ContactId) => Promise<Contact | undefined>;
  readonly listCategories: (organizationId: OrganizationId) => Promise<readonly Category[]>;
  readonly savePreferences: (
    id: ContactId,
    update: PreferencesUpdate,
    now: number,
  ) => Promise<void>;
};

/**
 * Changes a contact's subscriptions, all of them or, when one names no category, none; answers the new
 * state. Saying the same twice changes nothing more.
 *
 * @throws ServiceError `contact_not_found`, `unknown_category`
 */
export async function changePreferences(
  { contactId, isProven }: IdentifiedContact,
  changes: readonly Subscription[],
  dependencies: ChangePreferencesDependencies,
): Promise<Preferences> {
  const [contact, categories] = await Promise.all([
    dependencies.getContact(contactId),
    dependencies.listCategories(organizationIdOf(contactId)),
  ]);
  if (!isKnown(contact)) throw contactNotFound();

  const unknown = unknownCategories(changes, categories);
  if (unknown.length > 0) throw unknownCategory(unknown);

  const update = updatePreferences(contact, categories, changes, isProven);
  await dependencies.savePreferences(contactId, update, dependencies.now());
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
