import { describe, expect, it } from 'vitest';
import { createEmailLinks } from '#shared/email/email-links';
import { readContactToken } from '#shared/preferences/contact-token';
import { contactIdOf, feedbackIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { readClickToken, readOpenToken } from '#shared/tracking/tracking-token';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { newSendId } from '../../support/send-builder.ts';

const baseUrl = 'https://s.example.com';
const keyring = buildKeyring();

function buildRecipient() {
  const organizationId = newOrganizationId();
  return {
    contactId: contactIdOf(organizationId, 'ann@example.com'),
    feedbackId: feedbackIdOf(newSendId(organizationId)),
  };
}

const tokenIn = (url = '') => new URL(url).searchParams.get('token') ?? '';
const lastPart = (url = '') => new URL(url).pathname.split('/').at(-1) ?? '';

describe('the links of an email', () => {
  it('speak for the recipient: that of the header only unsubscribes, those of the footer choose too', () => {
    const recipient = buildRecipient();

    const { oneClick, unsubscribe, preferences } = createEmailLinks(keyring, baseUrl, recipient);

    expect(oneClick).toMatch(/^https:\/\/s\.example\.com\/api\/unsubscribe\?token=[^&]+$/);
    expect(readContactToken(keyring, 'unsubscribe', tokenIn(oneClick))).toEqual(recipient);
    expect(readContactToken(keyring, 'preferences', tokenIn(oneClick))).toBeUndefined();
    expect(unsubscribe).toMatch(/^https:\/\/s\.example\.com\/api\/unsubscribe\?token=[^&]+$/);
    expect(preferences).toMatch(/^https:\/\/s\.example\.com\/preferences\?token=[^&]+$/);
    expect(readContactToken(keyring, 'unsubscribe', tokenIn(unsubscribe))).toEqual(recipient);
    expect(readContactToken(keyring, 'preferences', tokenIn(preferences))).toEqual(recipient);
    expect(tokenIn(unsubscribe)).toBe(tokenIn(preferences));
  });

  it('that are tracked carry the send and where they lead', () => {
    const recipient = buildRecipient();
    const destination = 'https://shop.example.com/order?id=1&x=ä#top';

    const { click, openPixel } = createEmailLinks(keyring, baseUrl, recipient);

    const { feedbackId } = recipient;
    expect(click(destination)).toMatch(/^https:\/\/s\.example\.com\/t\/c\//);
    expect(readClickToken(keyring, lastPart(click(destination)))).toEqual({
      feedbackId,
      destination,
    });
    expect(openPixel).toMatch(/^https:\/\/s\.example\.com\/t\/o\//);
    expect(readOpenToken(keyring, lastPart(openPixel))).toBe(feedbackId);
  });

  it('show no address', () => {
    const { oneClick, preferences, openPixel } = createEmailLinks(
      keyring,
      baseUrl,
      buildRecipient(),
    );

    for (const url of [oneClick, preferences, openPixel]) {
      const [, payload] = (tokenIn(url) || lastPart(url)).split('.');
      expect(Buffer.from(payload ?? '', 'base64url').toString()).not.toContain('ann@');
    }
  });

  it('leave a destination alone that is too long to be carried', () => {
    const { click } = createEmailLinks(keyring, baseUrl, buildRecipient());
    const longest = `https://example.com/${'x'.repeat(3_980)}`;

    expect(longest).toHaveLength(4_000);
    expect(click(longest)).toBeDefined();
    expect(click(`${longest}x`)).toBeUndefined();
  });

  it('leave alone who wants to leave, by our links or by the page of the organization', () => {
    const page = 'https://shop.example.com/bye?lang=en';

    const links = createEmailLinks(keyring, baseUrl, buildRecipient(), page);

    const forLeaving = [links.unsubscribe, links.preferences, `${page}&from=mail`];
    expect(forLeaving.map(links.click)).toEqual([undefined, undefined, undefined]);
    const others = ['api/unsubscribe?token=1', 'byes'].map(
      (path) => `https://shop.example.com/${path}`,
    );
    for (const other of others) expect(links.click(other)).toBeDefined();
  });

  it('stay short enough for a header of SES, which takes 995 characters', () => {
    const { oneClick } = createEmailLinks(keyring, baseUrl, buildRecipient());

    expect(oneClick.length).toBeLessThan(400);
  });
});
