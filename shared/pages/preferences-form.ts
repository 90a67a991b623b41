import type { Subscription } from '#shared/contacts/preferences';

/** The field names of the preference page's form. */
export const preferencesFields = {
  /** Once per category that the page showed. A browser sends nothing for a box without a tick. */
  shown: 'shown',
  /** Once per category with a tick. */
  category: 'category',
  unsubscribeAll: 'unsubscribeAll',
  resubscribe: 'resubscribe',
} as const;

/** What a person asked for with the form. `resubscribe`: to end an unsubscribe from everything. */
export type PreferencesChoice =
  | { readonly kind: 'save'; readonly changes: readonly Subscription[] }
  | { readonly kind: 'unsubscribeAll' }
  | { readonly kind: 'resubscribe' };

/**
 * Reads the form. A category that the page did not show stays as it is, whether it is new or a forged form
 * names it. A category that was deleted meanwhile is still in the result.
 */
export function readPreferencesForm(fields: URLSearchParams): PreferencesChoice {
  if (fields.has(preferencesFields.unsubscribeAll)) return { kind: 'unsubscribeAll' };
  if (fields.has(preferencesFields.resubscribe)) return { kind: 'resubscribe' };

  const ticked = new Set(fields.getAll(preferencesFields.category));
  const shown = [...new Set(fields.getAll(preferencesFields.shown))];
  return {
    kind: 'save',
    changes: shown.map((categoryKey) => ({ categoryKey, subscribed: ticked.has(categoryKey) })),
  };
}
