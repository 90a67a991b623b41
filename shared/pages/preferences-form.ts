import * as z from 'zod/mini';
import type { Subscription } from '#shared/preferences/preferences';

export const preferencesFields = {
  /** Once per category that the page showed. A browser sends nothing for a box without a tick. */
  shown: 'shown',
  /** Once per category with a tick. */
  category: 'category',
  unsubscribeAll: 'unsubscribeAll',
  resubscribe: 'resubscribe',
} as const;

/** `resubscribe` lifts an unsubscription from everything. */
export type PreferencesChoice =
  | { readonly kind: 'save'; readonly changes: readonly Subscription[] }
  | { readonly kind: 'unsubscribeAll' }
  | { readonly kind: 'resubscribe' };

const values = z._default(z.array(z.string()), []);
const button = z.optional(z.array(z.string()));

const formSchema = z.object({
  [preferencesFields.shown]: values,
  [preferencesFields.category]: values,
  [preferencesFields.unsubscribeAll]: button,
  [preferencesFields.resubscribe]: button,
});

/**
 * A category that the page didn't show stays unchanged, whether it's new or a forged form names it. A category deleted
 * since is still in the result.
 */
export const preferencesFormSchema = z.pipe(formSchema, z.transform(toChoice));

function toChoice(form: z.output<typeof formSchema>): PreferencesChoice {
  if (form.unsubscribeAll !== undefined) return { kind: 'unsubscribeAll' };
  if (form.resubscribe !== undefined) return { kind: 'resubscribe' };

  const ticked = new Set(form.category);
  return {
    kind: 'save',
    changes: [...new Set(form.shown)].map((categoryKey) => ({
      categoryKey,
      subscribed: ticked.has(categoryKey),
    })),
  };
}
