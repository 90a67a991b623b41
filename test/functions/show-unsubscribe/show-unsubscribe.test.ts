import { describe, expect, it } from 'vitest';
import { showUnsubscribe } from '../../../functions/show-unsubscribe/show-unsubscribe.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildTokenHolder } from '../../support/token-holder-builder.ts';

const showOn = (unsubscribePageUrl: string) => {
  const organization = buildOrganization({ unsubscribePageUrl });
  return showUnsubscribe(buildTokenHolder({ organization }), 'k1.abc.def');
};

describe('showUnsubscribe', () => {
  it("asks to confirm on the service's own page", () => {
    expect(showUnsubscribe(buildTokenHolder(), 'k1.abc.def')).toEqual({ kind: 'confirm' });
  });

  it.each([
    ['https://shop.example.com/bye', 'https://shop.example.com/bye?token=k1.abc.def'],
    [
      'https://shop.example.com/bye?lang=de',
      'https://shop.example.com/bye?lang=de&token=k1.abc.def',
    ],
    ['https://shop.example.com/bye?token=old#x', 'https://shop.example.com/bye?token=k1.abc.def#x'],
  ])('redirects to the page of the organization, %s, with the token', (page, url) => {
    expect(showOn(page)).toEqual({ kind: 'redirect', url });
  });
});
