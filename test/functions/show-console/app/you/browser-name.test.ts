import { expect, it } from 'vitest';
import { browserName } from '../../../../../functions/show-console/app/you/browser-name.ts';

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  ['Firefox on Linux', `${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`],
  ['Chrome on Windows', `${mozilla} (Windows NT 10.0) ${webkit} Chrome/140.0.0.0 Safari/537.36`],
  ['Edge on Windows', `${mozilla} (Windows NT 10.0) ${webkit} Chrome/140 Safari/537.36 Edg/140`],
  ['Chrome on Android', `${mozilla} (Linux; Android 10; K) ${webkit} Chrome/140 Mobile Safari/537`],
  [
    'Safari on iPhone',
    `${mozilla} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1`,
  ],
  ['Safari on Mac', `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Safari/605`],
  ['Browser', 'curl/8'],
])('a passkey starts with the name “%s”', (name, userAgent) => {
  expect(browserName({ userAgent })).toBe(name);
});
