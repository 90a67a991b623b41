import { describe, expect, it } from 'vitest';
import { findTokenHolder, type TokenHolder } from '#shared/send-history/token-holder';
import { endpoint as getPreferences } from '../../../functions/get-preferences/get-preferences.ts';
import { showUnsubscribe } from '../../../functions/show-unsubscribe/show-unsubscribe.ts';
import { unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { endpoint as updatePreferences } from '../../../functions/update-preferences/update-preferences.ts';
import { openAudience } from '../../support/audience.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';
import { buildTokenHolder } from '../../support/token-holder-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const { source } = surroundings;

function redirectOf(holder: TokenHolder): URL {
  const view = showUnsubscribe(holder);
  if (view.kind !== 'redirect') throw new Error('It does not redirect');
  return new URL(view.url);
}

const holderAt = (unsubscribePageUrl: string) =>
  buildTokenHolder({ organization: buildOrganization({ unsubscribePageUrl }) });

describe('showUnsubscribe', () => {
  it("asks to confirm on the service's own page", () => {
    expect(showUnsubscribe(buildTokenHolder())).toEqual({ kind: 'confirm' });
  });

  it.each([{ paused: true }, { linksDisabled: true }])(
    'redirects nobody to the own page of an organization with %o',
    (state) => {
      const unsubscribePageUrl = 'https://shop.example.com/bye';
      const organization = buildOrganization({ unsubscribePageUrl, ...state });

      const view = showUnsubscribe(buildTokenHolder({ organization }));

      expect(view).toEqual({ kind: 'confirm' });
    },
  );

  it.each([
    ['https://shop.example.com/bye', 'https://shop.example.com/bye?token='],
    ['https://shop.example.com/bye?lang=de', 'https://shop.example.com/bye?lang=de&token='],
    ['https://shop.example.com/bye?token=old#x', 'https://shop.example.com/bye?token='],
  ])("redirects to the organization's page, %s, with the link's token", (page, beginning) => {
    const holder = holderAt(page);

    const url = redirectOf(holder);

    expect(url.href).toBe(`${beginning}${holder.text}${new URL(page).hash}`);
  });
});

describe("the token of the organization's own page", () => {
  async function openOwnPage(made: 'unsubscribe' | 'preferences' = 'preferences') {
    const audience = await openAudience({ unsubscribePageUrl: 'https://shop.example.com/bye' });
    const holder = await findTokenHolder('unsubscribe', audience.tokenOf(made), audience);
    const token = redirectOf(holder).searchParams.get('token') ?? '';
    const get = () => getPreferences.run({ ...surroundings, ...asker, query: { token } }, audience);
    return { ...audience, audience, token, get };
  }
  const asker = { caller: undefined, source };

  it('unsubscribes', async () => {
    const { audience, ann, token, now } = await openOwnPage();
    const readFields = unexpected('reading of the body');

    await unsubscribe({ ...presenting(undefined), query: { token }, source, readFields }, audience);

    expect(await ann()).toMatchObject({ unsubscribe: { at: now() } });
  });

  it("shows no preferences to a person who came through an email's header", async () => {
    const { get } = await openOwnPage('unsubscribe');

    expect((await serviceErrorOf(get)).code).toBe('contact_not_found');
  });

  it('shows and changes the preferences', async () => {
    const { audience, ann, token, get } = await openOwnPage();
    const off = { categoryKey: 'news', subscribed: false };

    const shown = await get();
    const body = { token, subscriptions: [off] };
    const changed = await updatePreferences.run({ ...surroundings, ...asker, body }, audience);

    expect(shown.subscriptions).toEqual([{ categoryKey: 'news', subscribed: true }]);
    expect(changed.subscriptions).toEqual([off]);
    expect(await ann()).toMatchObject({ subscriptions: { news: false } });
  });
});
