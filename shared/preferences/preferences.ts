import * as z from 'zod/mini';
import { isSubscribed, type KnownContact } from '#shared/contacts/contact';
import type { Category } from './category.ts';

export const subscriptionSchema = z.object({
  categoryKey: z.string(),
  subscribed: z.boolean(),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** The emails a contact gets. Both preferences endpoints answer it, and the hosted page shows it. */
export const preferencesSchema = z.object({
  contact: z.object({ id: z.string(), email: z.string() }),
  categories: z.array(z.object({ key: z.string(), name: z.string() })),
  subscriptions: z.array(subscriptionSchema),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** Reads a contact's preferences. A contact that unsubscribed from everything is subscribed to nothing. */
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

/** What a person chose. A category that is missing is subscribed. */
export const choicesOf = ({ subscriptions }: KnownContact): Subscription[] =>
  Object.entries(subscriptions).map(([categoryKey, subscribed]) => ({ categoryKey, subscribed }));

/** What a change of preferences stores. */
export type PreferencesUpdate = {
  /** The categories to write, by key. The others stay as they are. */
  readonly subscriptions: Readonly<Record<string, boolean>>;
  /** Whether the contact subscribes again after it had unsubscribed from everything. */
  readonly liftsUnsubscribe: boolean;
};

const noUpdate: PreferencesUpdate = { subscriptions: {}, liftsUnsubscribe: false };

/** Whether the update leaves everything as it is. Then nothing is written, and nobody is told. */
export const isNoUpdate = ({ subscriptions, liftsUnsubscribe }: PreferencesUpdate): boolean =>
  !liftsUnsubscribe && Object.keys(subscriptions).length === 0;

/**
 * Finds out what the changes alter in the preferences that the contact was shown. A contact that had
 * unsubscribed from everything was shown "no" throughout: if it says yes to one category, the others are
 * written as no.
 *
 * @param isProven whether the caller has proven to speak for the contact or its organization. A bare
 *   address proves nothing: it ends email, and its wishes to get some count for nothing.
 */
export function preferencesUpdateOf(
  contact: KnownContact,
  categories: readonly Category[],
  changes: readonly Subscription[],
  isProven: boolean,
): PreferencesUpdate {
  const wanted = changes.filter(({ subscribed }) => isProven || !subscribed).map(toEntry);
  const wish = Object.fromEntries(wanted);
  if (contact.unsubscribe === undefined) {
    const altered = Object.entries(wish).filter(
      ([categoryKey, subscribed]) => subscribed !== isSubscribed(contact, categoryKey),
    );
    return { subscriptions: Object.fromEntries(altered), liftsUnsubscribe: false };
  }
  if (!Object.values(wish).includes(true)) return noUpdate;
  const shown = preferencesOf(contact, categories).subscriptions.map(toEntry);
  return { subscriptions: Object.fromEntries([...shown, ...wanted]), liftsUnsubscribe: true };
}

/** The contact as the update leaves it. */
export function updatedContact(contact: KnownContact, update: PreferencesUpdate): KnownContact {
  const { unsubscribe, ...rest } = contact;
  const isStillUnsubscribed = unsubscribe !== undefined && !update.liftsUnsubscribe;
  return {
    ...rest,
    ...(isStillUnsubscribed && { unsubscribe }),
    subscriptions: { ...contact.subscriptions, ...update.subscriptions },
  };
}

/** Finds the changes that name no category of the organization. */
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
