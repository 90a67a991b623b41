import { describe, expect, it } from 'vitest';
import { showPreferences } from '../../../functions/show-preferences/show-preferences.ts';
import { type Audience, openAudience } from '../../support/audience.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

describe('showPreferences', () => {
  it("returns the token holder's subscriptions, and changes nothing", async () => {
    const audience = await openAudience();
    await audience.choose({ news: false });
    const before = audience.items();

    expect(await showPreferences(audience.tokenOf('preferences'), audience)).toEqual({
      organizationName: audience.organization.name,
      preferences: {
        contact: { id: audience.contactId, email: 'ann@example.com' },
        categories: [{ key: 'news', name: 'News' }],
        subscriptions: [{ categoryKey: 'news', subscribed: false }],
      },
      unsubscribedFromAll: false,
    });
    expect(audience.items()).toEqual(before);
  });

  it('reports whether the holder has unsubscribed from everything', async () => {
    const audience = await openAudience();
    await audience.leave();

    const view = await showPreferences(audience.tokenOf('preferences'), audience);

    expect(view).toMatchObject({
      preferences: { subscriptions: [{ categoryKey: 'news', subscribed: false }] },
      unsubscribedFromAll: true,
    });
  });

  it.each<[string, (audience: Audience) => string | undefined]>([
    ['no token', () => undefined],
    ['a forged token', () => 'forged'],
    ['a token that only unsubscribes', ({ tokenOf }) => tokenOf('unsubscribe')],
  ])('shows nothing for %s', async (_what, textOf) => {
    const audience = await openAudience();

    const error = await serviceErrorOf(() => showPreferences(textOf(audience), audience));

    expect(error.code).toBe('contact_not_found');
  });
});
