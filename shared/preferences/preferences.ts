import * as z from 'zod/mini';
import { type Contact, isSubscribed, type KnownContact } from '#shared/contacts/contact';

export const categorySchema = z.object({ key: z.string(), name: z.string() });
/** A topic of bulk emails. Contacts are subscribed until they opt out. */
export type Category = z.infer<typeof categorySchema>;

export const subscriptionSchema = z.object({
  categoryKey: z.string(),
  subscribed: z.boolean(),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

export const preferencesSchema = z.object({
  contact: z.object({ id: z.string(), email: z.string() }),
  categories: z.array(categorySchema),
  subscriptions: z.array(subscriptionSchema),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** A contact that unsubscribed from everything is subscribed to nothing. */
export function preferencesOf(contact: KnownContact, categories: readonly Category[]): Preferences {
  const getsBulk = contact.unsubscribe === undefined;
  return {
    contact: { id: contact.id, email: contact.email },
    categories: categories.map(({ key, name }) => ({ key, name })),
    subscriptions: categories.map(({ key }) => ({
      categoryKey: key,
      subscribed: getsBulk && isSubscribed(contact, key),
    })),
  };
}

/** A missing category counts as subscribed. */
export const choicesOf = ({ subscriptions }: KnownContact): Subscription[] =>
  Object.entries(subscriptions).map(([categoryKey, subscribed]) => ({ categoryKey, subscribed }));

export type PreferencesUpdate = {
  /** By category key. Other categories keep their values. */
  readonly subscriptions: Readonly<Record<string, boolean>>;
  readonly liftsUnsubscribe: boolean;
};

/** If so, nothing is written and no webhook sent. */
export const isNoUpdate = ({ subscriptions, liftsUnsubscribe }: PreferencesUpdate): boolean =>
  !liftsUnsubscribe && Object.keys(subscriptions).length === 0;

/**
 * A contact unsubscribed from everything was shown "no" throughout: if it says yes to one category, the others are
 * stored as no. A "no" is stored for it too: that outlasts its unsubscription, and counts for transactional policies.
 *
 * @param isProven whether the caller has proven to speak for the contact or its organization. A bare address can end
 *   email, but not start it.
 */
export function preferencesUpdateOf(
  contact: KnownContact,
  categories: readonly Category[],
  changes: readonly Subscription[],
  isProven: boolean,
): PreferencesUpdate {
  const allowed = changes.filter(({ subscribed }) => isProven || !subscribed).map(toEntry);
  const wish = Object.fromEntries(allowed);
  if (contact.unsubscribe !== undefined && Object.values(wish).includes(true)) {
    const shown = preferencesOf(contact, categories).subscriptions.map(toEntry);
    return { subscriptions: Object.fromEntries([...shown, ...allowed]), liftsUnsubscribe: true };
  }
  const altered = Object.entries(wish).filter(
    ([categoryKey, subscribed]) => subscribed !== isSubscribed(contact, categoryKey),
  );
  return { subscriptions: Object.fromEntries(altered), liftsUnsubscribe: false };
}

export function updatedContact<Person extends Contact>(
  contact: Person,
  update: PreferencesUpdate,
): Omit<Person, 'unsubscribe'> & Pick<Contact, 'unsubscribe'> {
  const { unsubscribe, ...rest } = contact;
  const isStillUnsubscribed = unsubscribe !== undefined && !update.liftsUnsubscribe;
  return {
    ...rest,
    ...(isStillUnsubscribed && { unsubscribe }),
    subscriptions: { ...contact.subscriptions, ...update.subscriptions },
  };
}

export function unknownCategories(
  changes: readonly Subscription[],
  categories: readonly Category[],
): { readonly index: number; readonly categoryKey: string }[] {
  const known = new Set(categories.map(({ key }) => key));
  return changes.flatMap(({ categoryKey }, index) =>
    known.has(categoryKey) ? [] : [{ index, categoryKey }],
  );
}

const toEntry = ({ categoryKey, subscribed }: Subscription) => [categoryKey, subscribed] as const;
