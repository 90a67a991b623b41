import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceOf } from '#shared/access/device';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const ofApple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('deviceOf', () => {
  it.each([
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    [
      'Chrome on Windows',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36`,
    ],
    [
      'Edge on Windows',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    ],
    [
      'Opera on macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`,
    ],
    [
      'Safari on macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${ofApple} Version/26.1 Safari/605.1.15`,
    ],
    [
      'Safari on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${ofApple} Version/26.1 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Chrome on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${ofApple} CriOS/142.0.7444.148 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Firefox on iPad',
      `Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) ${ofApple} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`,
    ],
    [
      'Chrome on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    ],
    [
      'Samsung Internet on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    ],
    [
      'Chrome on Chrome OS',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/142.0.0.0 Safari/537.36`,
    ],
    [
      'Chrome on Linux',
      `Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/142.0.0.0 Safari/537.36`,
    ],
    ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) SomethingNew/1.0'],
    [undefined, 'curl/8.17.0'],
    [undefined, ''],
    [undefined, undefined],
  ])('is %s', (device, userAgent) => {
    expect(deviceOf(userAgent)).toBe(device);
  });

  it('says nothing of its own choice, and little, whatever a browser sends', () => {
    const signs = fc.constantFrom('Firefox/', 'Windows', 'Android', 'CriOS/', 'iPad', ' <b>', '; ');
    const anything = fc.array(fc.oneof(signs, fc.string())).map((parts) => parts.join(''));
    fc.assert(
      fc.property(anything, (userAgent) => {
        expect(deviceOf(userAgent) ?? '').toMatch(/^[A-Za-z ]{0,30}$/);
      }),
    );
  });

  it('takes no longer for a long header', () => {
    const startedAt = performance.now();
    deviceOf(`Version/${'1.'.repeat(500_000)}`);

    expect(performance.now() - startedAt).toBeLessThan(50);
  });
});
