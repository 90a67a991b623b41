import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeEmail, trackingOf, untrackedBy } from '#shared/email/compose-email';
import type { EmailLinks } from '#shared/email/email-links';
import type { Policy } from '#shared/organizations/organization';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';

const links: EmailLinks = {
  oneClick: 'https://s.example.com/api/unsubscribe?token=o',
  unsubscribe: 'https://s.example.com/api/unsubscribe?token=u',
  preferences: 'https://s.example.com/preferences?token=p',
  openPixel: 'https://s.example.com/t/o/open',
  click: (destination) => `https://s.example.com/t/c/${encodeURIComponent(destination)}`,
};

const transactional = { kind: 'transactional' } as const;
const bulk = { kind: 'bulk' } as const;

const to = [buildEmailAddress('ann@example.com')];

type Given = {
  readonly words?: Partial<Parameters<typeof composeEmail>[0]>;
  readonly recipients?: Partial<Parameters<typeof composeEmail>[1]>;
  readonly organization?: Parameters<typeof buildOrganization>[0];
  readonly policy?: Policy;
};

/** A transactional email of text to one recipient, but for what is given. */
const compose = ({ words, recipients, organization, policy = transactional }: Given = {}) =>
  composeEmail(
    { subject: 'Your receipt', content: 'Thank you.', htmlContent: undefined, ...words },
    { to, cc: [], bcc: [], ...recipients },
    buildOrganization(organization),
    policy,
    links,
  );

const shop = '<body><a href="https://shop.example.com/">Shop</a></body>';

describe('every email to one recipient', () => {
  it('can be unsubscribed with one click', async () => {
    const { headers } = await compose();

    expect(headers).toEqual([
      { name: 'List-Unsubscribe', value: '<https://s.example.com/api/unsubscribe?token=o>' },
      { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
    ]);
  });

  it('has no HTML part when it was given none', async () => {
    expect((await compose({ policy: bulk })).html).toBeUndefined();
  });

  it('has its links tracked and a pixel before the end of the body', async () => {
    const { html } = await compose({ words: { htmlContent: shop } });

    expect(html).toMatch(
      /^<body><a href="https:\/\/s\.example\.com\/t\/c\/https%3A%2F%2Fshop\.example\.com%2F">Shop<\/a><img src="https:\/\/s\.example\.com\/t\/o\/open"[^>]*><\/body>$/,
    );
  });
});

describe('the one-click headers', () => {
  it.each([
    ['transactional', undefined, true],
    ['transactional', true, true],
    ['transactional', false, false],
    ['bulk', undefined, true],
    ['bulk', false, true],
  ] as const)(
    'of %s email where the organization says %s are there: %s',
    async (kind, transactionalUnsubscribe, areThere) => {
      const organization =
        transactionalUnsubscribe === undefined ? {} : { transactionalUnsubscribe };

      const { headers } = await compose({ organization, policy: { kind } });

      expect(headers.map(({ name }) => name)).toEqual(
        areThere ? ['List-Unsubscribe', 'List-Unsubscribe-Post'] : [],
      );
    },
  );
});

describe('untrackedBy', () => {
  const setting = fc.option(
    fc.record({ opens: fc.boolean(), clicks: fc.boolean() }, { requiredKeys: [] }),
    { nil: undefined },
  );
  const htmlContent = '<p>Hi</p>';

  it('names a setting exactly where something is off and the email didn’t say so', () => {
    fc.assert(
      fc.property(setting, setting, setting, (ofEmail, ofPolicy, ofOrganization) => {
        const parts = [{ tracking: ofEmail }, { tracking: ofPolicy }, { tracking: ofOrganization }];
        const [email, policy, organization] = parts.map(({ tracking }) =>
          tracking === undefined ? {} : { tracking },
        );
        const untracked = untrackedBy({ htmlContent, ...email }, policy ?? {}, organization ?? {});
        const tracks = trackingOf(email, policy, organization);
        for (const what of ['opens', 'clicks'] as const) {
          const isOffByEmail = ofEmail?.[what] === false;
          expect(untracked?.[what] !== undefined).toBe(!tracks[what] && !isOffByEmail);
        }
        if (untracked?.opens === 'organization') expect(ofPolicy?.opens).toBeUndefined();
      }),
    );
  });

  it('says nothing of an email without HTML, so nothing is stored', () => {
    const off = { tracking: { opens: false } };

    expect(untrackedBy({ htmlContent: undefined }, off, off)).toBeUndefined();
  });
});

describe('trackingOf', () => {
  const said = fc.option(fc.boolean(), { nil: undefined });
  const level = fc.record({
    tracking: fc.option(fc.record({ opens: said, clicks: said }), { nil: undefined }),
  });

  it('follows the email, then its policy, then its organization, and is on where none says', () => {
    fc.assert(
      fc.property(level, level, level, (email, policy, organization) => {
        const levels = [email, policy, organization];
        const firstWord = (part: 'opens' | 'clicks') =>
          levels.map(({ tracking }) => tracking?.[part]).find((word) => word !== undefined) ?? true;

        expect(trackingOf(email, policy, organization)).toEqual({
          opens: firstWord('opens'),
          clicks: firstWord('clicks'),
        });
      }),
    );
  });
});

describe('an email with options', () => {
  it.each([
    [{ opens: false, clicks: false }, shop],
    [
      { opens: false },
      /^<body><a href="https:\/\/s\.example\.com\/t\/c\/[^"]*">Shop<\/a><\/body>$/,
    ],
    [
      { clicks: false },
      /^<body><a href="https:\/\/shop\.example\.com\/">Shop<\/a><img [^>]*><\/body>$/,
    ],
  ])('is tracked as %j says', async (tracking, expected) => {
    const { html } = await compose({ words: { htmlContent: shop, tracking } });

    expect(html).toMatch(expected);
  });

  it('is tracked as its policy says, and else its organization', async () => {
    const { html } = await compose({
      words: { htmlContent: shop },
      policy: { ...transactional, tracking: { opens: false } },
      organization: { tracking: { opens: true, clicks: false } },
    });

    expect(html).toBe(shop);
  });

  it('has its own headers before ours', async () => {
    const { headers } = await compose({ words: { headers: [{ name: 'X-Ref', value: '42' }] } });

    expect(headers.map(({ name }) => name)).toEqual([
      'X-Ref',
      'List-Unsubscribe',
      'List-Unsubscribe-Post',
    ]);
  });
});

describe('List-Unsubscribe headers of an email’s own', () => {
  const own = [
    { name: 'list-unsubscribe', value: '<mailto:leave@shop.example>' },
    { name: 'X-Ref', value: '42' },
  ];

  it('go out where the service sets none', async () => {
    const organization = { transactionalUnsubscribe: false };

    const { headers } = await compose({ words: { headers: own }, organization });

    expect(headers).toEqual(own);
  });

  it('give way to the service’s own when the setting changed after the email was accepted', async () => {
    const { headers } = await compose({ words: { headers: own } });

    expect(headers.map(({ name }) => name)).toEqual([
      'X-Ref',
      'List-Unsubscribe',
      'List-Unsubscribe-Post',
    ]);
  });
});

describe('an email of HTML alone', () => {
  const textOf = async (htmlContent: string, policy: Policy = transactional) =>
    (await compose({ words: { content: undefined, htmlContent }, policy })).text;

  it('has the text of its HTML, with the addresses that the caller wrote', async () => {
    const html = '<p>Hello <a href="https://shop.example.com/">Ann</a></p><p>Bye</p>';

    expect(await textOf(html)).toBe('Hello Ann (https://shop.example.com/)\n\nBye');
  });

  it('has the footer of bulk email in its text too', async () => {
    expect(await textOf('<p>Hi</p>', bulk)).toContain(`Unsubscribe: ${links.unsubscribe}`);
  });

  it('of a picture only has its subject for a text', async () => {
    expect(await textOf('<img src="https://example.com/a.png">')).toBe('Your receipt');
  });
});

describe('an email with a second recipient', () => {
  const bob = buildEmailAddress('bob@example.com');

  it.each([
    ['to', { to: [...to, bob] }],
    ['cc', { cc: [bob] }],
    ['bcc', { bcc: [bob] }],
  ])('in %s has no link by which that one could speak for the first', async (_, recipients) => {
    for (const policy of [transactional, bulk]) {
      const content = await compose({ words: { htmlContent: shop }, recipients, policy });

      expect(content.headers).toEqual([]);
      expect(content.text).toBe('Thank you.');
      expect(content.html).not.toContain('token=');
    }
  });

  it('has its links tracked and a pixel all the same', async () => {
    const { html } = await compose({ words: { htmlContent: shop }, recipients: { cc: [bob] } });

    expect(html).toContain('https://s.example.com/t/c/');
    expect(html).toContain(links.openPixel);
  });
});

it('has no footer in a transactional email', async () => {
  const { text, html } = await compose({ words: { htmlContent: '<p>Hi</p>' } });

  expect(text).toBe('Thank you.');
  expect(html).not.toContain('Unsubscribe');
});

describe('a bulk email', () => {
  it('ends its text with the sender and both links, after a signature separator', async () => {
    const organization = { footerText: 'Example Ltd, 1 High Street' };

    const { text } = await compose({ organization, policy: bulk });

    expect(text).toBe(
      'Thank you.\n\n-- \nExample Ltd, 1 High Street\n' +
        `Unsubscribe: ${links.unsubscribe}\nEmail preferences: ${links.preferences}\n`,
    );
  });

  it('names the organization when it has no footer text of its own', async () => {
    const { text } = await compose({ organization: { name: 'Acme' }, policy: bulk });

    expect(text).toContain('-- \nAcme\n');
  });

  it('shows sender and links at the end of the body, untracked', async () => {
    const htmlContent = '<body><p>Hi</p></body>';

    const { html } = await compose({ words: { htmlContent }, policy: bulk });

    expect(html).toContain(`href="${links.unsubscribe}"`);
    expect(html).toContain(`href="${links.preferences}"`);
    expect(html?.indexOf('Unsubscribe')).toBeLessThan(html?.indexOf('</body>') ?? 0);
  });

  it('shows the footer text as text, whatever it holds', async () => {
    const { html } = await compose({
      words: { htmlContent: '<p>Hi</p>' },
      organization: { footerText: 'A & B <script>alert("1")</script>\nline 2' },
      policy: bulk,
    });

    expect(html).toContain(
      'A &amp; B &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;<br>line 2<br>',
    );
    expect(html).not.toContain('<script>');
  });
});
