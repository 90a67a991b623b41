import { describe, expect, it } from 'vitest';
import { endpoint as updatePreferences } from '../../../functions/update-preferences/update-preferences.ts';
import { type Audience, openAudience } from '../../support/audience.ts';
import { surroundings } from '../../support/surroundings.ts';

/** Subscribes Ann to the news by her address. */
const subscribe = (audience: Audience, caller?: Audience['caller']) =>
  updatePreferences.run(
    {
      ...surroundings,
      caller,
      body: {
        email: 'ann@example.com',
        subscriptions: [{ categoryKey: 'news', subscribed: true }],
      },
    },
    audience,
  );

describe('updatePreferences', () => {
  it('resumes email for a caller with a key', async () => {
    const audience = await openAudience();
    await audience.leave();

    const { subscriptions } = await subscribe(audience, audience.caller);

    expect(subscriptions).toEqual([{ categoryKey: 'news', subscribed: true }]);
    expect(await audience.ann()).toMatchObject({ subscriptions: { news: true } });
    expect(await audience.ann()).not.toHaveProperty('unsubscribe');
    expect(audience.strangersCounted()).toEqual([]);
  });

  it('resumes nothing for a bare address, and counts the request', async () => {
    const audience = await openAudience();
    await audience.leave();
    const before = await audience.ann();

    const { subscriptions } = await subscribe(audience);

    expect(subscriptions).toEqual([{ categoryKey: 'news', subscribed: false }]);
    expect(await audience.ann()).toEqual(before);
    expect(audience.strangersCounted()).toEqual([1, 1]);
  });
});
