import { describe, expect, it } from 'vitest';
import {
  footerText,
  organizationName,
  resourceKey,
  senderName,
  unsubscribePageUrl,
} from '#shared/organizations/organization-fields';

describe.each([
  ['name', organizationName, 100],
  ['sender name', senderName, 64],
])('a %s', (_what, field, longest) => {
  it.each(['Example Ltd', 'Größe & Söhne, "E"', '株式会社', 'x'.repeat(longest)])(
    'may be %j',
    (text) => {
      expect(field.safeParse(text).data).toBe(text);
    },
  );

  it.each([
    '',
    ' ',
    ' Example',
    'Example ',
    'Example\r\nBcc: ann@example.com',
    'Example\nLtd',
    'Example\u0000',
    'Example\u2028Ltd',
    'gpj\u202eelpmaxE',
    'Example\ud800',
    'x'.repeat(longest + 1),
    7,
  ])('is not %j', (text) => {
    expect(field.safeParse(text).success).toBe(false);
  });
});

describe('a footer', () => {
  it('may have several lines', () => {
    expect(footerText.safeParse('Example Ltd\n1 Example Street').success).toBe(true);
  });

  it.each(['', 'Example\r\nLtd', 'Example\u0007', 'x'.repeat(2_001)])('is not %j', (text) => {
    expect(footerText.safeParse(text).success).toBe(false);
  });
});

describe('an unsubscribe page', () => {
  it.each(['https://example.com', 'https://shop.example.com:8443/bye?lang=en#top'])(
    'may be %s',
    (url) => {
      expect(unsubscribePageUrl.safeParse(url).success).toBe(true);
    },
  );

  it.each([
    'http://example.com',
    'javascript:alert(1)',
    'https://',
    '//example.com',
    'example.com',
    'https://ann:secret@example.com',
    'https://example.com/a b',
    'https://example.com/\r\nSet-Cookie: a=b',
    ' https://example.com',
    `https://example.com/${'x'.repeat(2_048)}`,
  ])('is not %j', (url) => {
    expect(unsubscribePageUrl.safeParse(url).success).toBe(false);
  });
});

describe('the key of a policy or category', () => {
  it.each(['news', 'product-updates', '2026_q1'])('may be %s', (key) => {
    expect(resourceKey.safeParse(key).success).toBe(true);
  });

  it.each(['', 'News', '-news', '__proto__', 'constructor', 'a/b', 'a b', 'ä', 'x'.repeat(65)])(
    'is not %j',
    (key) => {
      expect(resourceKey.safeParse(key).success).toBe(false);
    },
  );
});
