import { describe, expect, it } from 'vitest';
import { putCategory } from '#shared/preferences/category-store';
import { changePreferences } from '#shared/preferences/change-preferences';
import { contactIdOf } from '#shared/tokens/resource-id';
import { type Audience, openAudience } from '../../support/audience.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/** With the category `offers`, too. */
async function openOffers() {
  const audience = await openAudience();
  const { table, organizationId } = audience;
  await putCategory(table, organizationId, { key: 'offers', name: 'Offers' });
  return audience;
}

type Choice = { readonly isProven?: boolean; readonly contactId?: Audience['contactId'] };

const choose = (
  audience: Audience,
  choices: Record<string, boolean>,
  { isProven = true, contactId = audience.contactId }: Choice = {},
) =>
  changePreferences(
    { contactId, isProven },
    Object.entries(choices).map(([categoryKey, subscribed]) => ({ categoryKey, subscribed })),
    audience,
  );

const shown = (news: boolean, offers: boolean) => [
  { categoryKey: 'news', subscribed: news },
  { categoryKey: 'offers', subscribed: offers },
];

describe('changePreferences', () => {
  it('stores and reports the change, and returns the new state', async () => {
    const audience = await openOffers();

    const preferences = await choose(audience, { news: false });

    expect(preferences.subscriptions).toEqual(shown(false, true));
    expect((await audience.ann()).subscriptions).toEqual({ news: false });
    expect(await audience.reported()).toEqual(['contact.preferences_updated']);
  });

  it('subscribes a person who had left everything to the one category that is taken back', async () => {
    const audience = await openOffers();
    await audience.leave();

    const preferences = await choose(audience, { news: true });

    expect(preferences.subscriptions).toEqual(shown(true, false));
    expect((await audience.ann()).subscriptions).toEqual({ news: true, offers: false });
    expect(await audience.reported()).toEqual([
      'contact.preferences_updated',
      'suppression.removed',
    ]);
  });

  it('keeps a person unsubscribed when the caller may not lift that', async () => {
    const audience = await openOffers();
    await audience.leave();

    const preferences = await choose(audience, { news: true }, { isProven: false });

    expect(preferences.subscriptions).toEqual(shown(false, false));
    expect(await audience.ann()).toHaveProperty('unsubscribe');
  });

  it('writes and reports nothing if the choice was the same before', async () => {
    const audience = await openOffers();
    await audience.choose({ news: false });
    const before = audience.items();

    expect((await choose(audience, { news: false })).subscriptions).toEqual(shown(false, true));
    expect(audience.items()).toEqual(before);
    expect(await audience.reported()).toEqual([]);
  });

  it('decides again when another request was faster', async () => {
    const audience = await openOffers();
    audience.beforeNextWrite(() => choose(audience, { offers: false }));

    const { subscriptions } = await choose(audience, { news: false });

    expect(subscriptions).toEqual(shown(false, false));
    expect((await audience.ann()).subscriptions).toEqual({ news: false, offers: false });
    expect(await audience.reported()).toHaveLength(2);
  });

  it('gives up after ten tries if other requests are always faster', async () => {
    const [nine, ten] = [await openOffers(), await openOffers()];
    const others = (audience: Audience, count: number) =>
      Array.from(
        { length: count },
        (_, index) => () => choose(audience, { offers: index % 2 === 1 }),
      );
    nine.beforeNextWrite(...others(nine, 9));
    ten.beforeNextWrite(...others(ten, 10));

    await choose(nine, { news: false });
    const error = await serviceErrorOf(() => choose(ten, { news: false }));

    expect((await nine.ann()).subscriptions).toEqual({ news: false, offers: false });
    expect(error.code).toBe('concurrent_change');
    expect((await ten.ann()).subscriptions).toEqual({ offers: true });
  });

  it('changes nothing when one of the changes names no category', async () => {
    const audience = await openOffers();
    const before = audience.items();

    const error = await serviceErrorOf(() => choose(audience, { news: false, nope: false }));

    expect(error.code).toBe('unknown_category');
    expect(error.errors?.map(({ path }) => path)).toEqual(['subscriptions.1.categoryKey']);
    expect(audience.items()).toEqual(before);
  });

  it("doesn't know a contact that was never stored", async () => {
    const audience = await openOffers();
    const contactId = contactIdOf(audience.organizationId, 'bob@example.com');

    const error = await serviceErrorOf(() => choose(audience, { news: false }, { contactId }));

    expect(error.code).toBe('contact_not_found');
    expect(await audience.reported()).toEqual([]);
  });

  it("doesn't know a contact that was erased", async () => {
    const audience = await openOffers();
    await audience.erase();

    const error = await serviceErrorOf(() => choose(audience, { news: false }));

    expect(error.code).toBe('contact_not_found');
    expect(await audience.reported()).toEqual([]);
  });
});
