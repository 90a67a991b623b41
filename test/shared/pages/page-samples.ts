import fc from 'fast-check';
import {
  errorPage,
  goneSenderPage,
  linkNotValidPage,
  tooManyRequestsPage,
  withdrawnLinkPage,
} from '#shared/pages/error-pages';
import { heldLinkPage } from '#shared/pages/held-link-page';
import { type PreferencesPage, preferencesPage } from '#shared/pages/preferences-page';
import { type CategoryToLeave, unsubscribePage } from '#shared/pages/unsubscribe-page';
import type { Preferences } from '#shared/preferences/preferences';

export const hostileText = `"><script>alert('&')</script><img src=//evil.example onerror=x>`;
/** Texts of the characters that HTML is made of, and of some that are not one code unit or turn text around. */
export const hostileString = fc.string({ unit: fc.constantFrom(...`<>&"'\`=/;! #x3a\n\u202e🦊`) });
const longName = `${'Donaudampfschifffahrtselektrizitäten'.repeat(3)} & Söhne`;
const rtlName = 'شركة البريد السريع\u202e 123';

const names = { news: 'Product news', tips: 'Tips and guides', offers: 'Offers and discounts' };
type Sample = Partial<Omit<PreferencesPage, 'preferences'>> & {
  readonly names?: Readonly<Record<string, string>>;
  readonly ticked?: readonly string[];
};

export function buildPreferencesPage({
  names: named = names,
  ticked = ['news'],
  ...page
}: Sample = {}) {
  const preferences: Preferences = {
    contact: { id: 'con_1', email: 'ann.smith@example.com' },
    categories: Object.entries(named).map(([key, name]) => ({ key, name })),
    subscriptions: Object.keys(named).map((categoryKey) => ({
      categoryKey,
      subscribed: ticked.includes(categoryKey),
    })),
  };
  return preferencesPage({
    organizationName: 'Northwind Coffee',
    preferences,
    unsubscribedFromAll: false,
    saved: false,
    form: { action: '/preferences', token: 'token-1' },
    ...page,
  });
}

const category = {
  name: 'Offers and discounts',
  everything: { action: '/api/unsubscribe?token=token-1&everything=true' },
};

type Names = {
  readonly category?: CategoryToLeave;
  readonly organizationName?: string;
  readonly email?: string | undefined;
  readonly preferencesUrl?: string | undefined;
};

export const buildConfirmPage = (recipient: Names = {}) =>
  unsubscribePage({
    state: 'confirm',
    organizationName: 'Northwind Coffee',
    email: 'ann.smith@example.com',
    preferencesUrl: '/preferences?token=token-2',
    form: { action: '/api/unsubscribe?token=token-1' },
    ...recipient,
  });

export const buildDonePage = (recipient: Names = {}) =>
  unsubscribePage({
    state: 'done',
    organizationName: 'Northwind Coffee',
    email: 'ann.smith@example.com',
    preferencesUrl: '/preferences?token=token-2',
    ...recipient,
  });

const longAddress = `ann@${'department.'.repeat(18)}example.com`;

/** Every page in every state, by a name that is also its path on the page server. */
export const pageSamples: Readonly<Record<string, string>> = {
  'unsubscribe-confirm': buildConfirmPage(),
  'unsubscribe-done': buildDonePage(),
  'unsubscribe-erased': buildConfirmPage({ email: undefined, preferencesUrl: undefined }),
  'unsubscribe-category': buildConfirmPage({ category }),
  'unsubscribe-category-done': buildDonePage({ category }),
  'unsubscribe-category-hostile': buildConfirmPage({
    category: { ...category, name: hostileText },
  }),
  'unsubscribe-by-header': buildConfirmPage({ preferencesUrl: undefined }),
  'link-held': heldLinkPage({
    organizationName: longName,
    destination: `https://shop.example.com/${'order/'.repeat(40)}?id=1&next=%2F`,
  }),
  'link-withdrawn': withdrawnLinkPage(),
  'sender-gone': goneSenderPage(),
  'unsubscribe-long-name': buildConfirmPage({ organizationName: longName, email: longAddress }),
  'unsubscribe-rtl-name': buildConfirmPage({ organizationName: rtlName }),
  preferences: buildPreferencesPage(),
  'preferences-saved': buildPreferencesPage({ saved: true }),
  'preferences-unsubscribed': buildPreferencesPage({ unsubscribedFromAll: true, saved: true }),
  'preferences-one-category': buildPreferencesPage({ names: { news: 'Product news' } }),
  'preferences-no-category': buildPreferencesPage({ names: {} }),
  'preferences-no-category-unsubscribed': buildPreferencesPage({
    names: {},
    unsubscribedFromAll: true,
  }),
  'preferences-hostile': buildPreferencesPage({
    organizationName: hostileText,
    names: { [hostileText]: hostileText, long: longName, rtl: rtlName },
    ticked: [hostileText],
  }),
  'link-not-valid': linkNotValidPage(),
  'too-many-requests': tooManyRequestsPage(),
  error: errorPage(),
};
