import { isbot } from 'isbot';
import { describe, expect, it } from 'vitest';
import { isMachineHit } from '#shared/tracking/machine-hit';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const gmail =
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';
const yahoo = 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html';

describe('isMachineHit', () => {
  it.each([
    ['a browser', firefox],
    [
      'a mail program',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    ],
    ["Gmail's proxy, which fetches when a person opens the email", gmail],
    ["Yahoo's proxy, which does so too", yahoo],
  ])('takes %s for a person', (_who, userAgent) => {
    expect(isMachineHit({ 'user-agent': userAgent })).toBe(false);
  });

  it('needs the exception for the proxies: by the list of bots they are bots', () => {
    expect([gmail, yahoo].map((userAgent) => isbot(userAgent))).toEqual([true, true]);
  });

  it.each([
    ["Apple's proxy, which fetches on arrival", 'Mozilla/5.0'],
    ['the same with blanks around its name', ' Mozilla/5.0 '],
    ['a crawler', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['a program', 'curl/8.5.0'],
    ['a client without a name', ''],
    ['a client with blanks for a name', '  '],
    ['a client that does not say its name', undefined],
  ])('takes %s for a machine', (_who, userAgent) => {
    expect(isMachineHit({ 'user-agent': userAgent })).toBe(true);
  });

  it.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
    ['purpose', 'Prefetch'],
  ])('takes a browser that prefetches for a machine, by %s: %s', (name, value) => {
    expect(isMachineHit({ 'user-agent': firefox, [name]: value })).toBe(true);
    expect(isMachineHit({ 'user-agent': gmail, [name]: value })).toBe(true);
  });

  it('takes a browser with another purpose for a person', () => {
    expect(isMachineHit({ 'user-agent': firefox, 'sec-purpose': 'navigate' })).toBe(false);
  });
});
