import * as z from 'zod/mini';
import type { Category } from './category-store.ts';
import { isSubscribed, type KnownContact } from './contact.ts';

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

/** What a change of preferences stores. */
export type PreferencesUpdate = {
  /** The categories to write, by key. The others stay as they are. */
  readonly subscriptions: Readonly<Record<string, boolean>>;
  /** Whether the contact subscribes again after it had unsubscribed from everything. */
  readonly liftsUnsubscribe: boolean;
};

/**
 * Applies changes to the preferences that the contact was shown. A contact that had unsubscribed from
 * everything was shown "no" throughout: if it says yes to one category, the others stay at no.
 *
 * @param mayLift whether the caller has proven to speak for the contact or its organization. A bare
 *   address proves nothing, and must not bring back email that a person has ended.
 */
export function preferencesUpdateOf(
  contact: KnownContact,
  categories: readonly Category[],
  changes: readonly Subscription[],
  mayLift: boolean,
): PreferencesUpdate {
  const wantsSome = changes.some(({ subscribed }) => subscribed);
  const liftsUnsubscribe = contact.unsubscribe !== undefined && wantsSome && mayLift;
  const shown = liftsUnsubscribe ? preferencesOf(contact, categories).subscriptions : [];
  return {
    subscriptions: Object.fromEntries([...shown, ...changes].map(toEntry)),
    liftsUnsubscribe,
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
