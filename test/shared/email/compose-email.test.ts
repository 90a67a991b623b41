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
const alone = { to, cc: [], bcc: [] };

const parts = (htmlContent?: string) => ({
  subject: 'Your receipt',
  content: 'Thank you.',
  htmlContent,
});

describe('every email to one recipient', () => {
  it.each([transactional, bulk])(
    'that is $kind can be unsubscribed with one click',
    async (policy) => {
      const { headers } = await composeEmail(parts(), alone, buildOrganization(), policy, links);

      expect(headers).toEqual([
        { name: 'List-Unsubscribe', value: '<https://s.example.com/api/unsubscribe?token=o>' },
        { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
      ]);
    },
  );

  it('has no HTML part when it was given none', async () => {
    const { html } = await composeEmail(parts(), alone, buildOrganization(), bulk, links);

    expect(html).toBeUndefined();
  });

  it('has its links tracked and a pixel before the end of the body', async () => {
    const given = '<body><a href="https://shop.example.com/">Shop</a></body>';

    const { html } = await composeEmail(
      parts(given),
      alone,
      buildOrganization(),
      transactional,
      links,
    );

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
      const organization = buildOrganization(
        transactionalUnsubscribe === undefined ? {} : { transactionalUnsubscribe },
      );

      const { headers } = await composeEmail(parts(), alone, organization, { kind }, links);

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
  const given = '<body><a href="https://shop.example.com/">Shop</a></body>';

  it.each([
    [{ opens: false, clicks: false }, given],
    [
      { opens: false },
      /^<body><a href="https:\/\/s\.example\.com\/t\/c\/[^"]*">Shop<\/a><\/body>$/,
    ],
    [
      { clicks: false },
      /^<body><a href="https:\/\/shop\.example\.com\/">Shop<\/a><img [^>]*><\/body>$/,
    ],
  ])('is tracked as %j says', async (tracking, expected) => {
    const words = { ...parts(given), tracking };

    const { html } = await composeEmail(words, alone, buildOrganization(), transactional, links);

    expect(html).toMatch(expected);
  });

  it('is tracked as its policy says, and else its organization', async () => {
    const policy = { ...transactional, tracking: { opens: false } };
    const organization = buildOrganization({ tracking: { opens: true, clicks: false } });

    const { html } = await composeEmail(parts(given), alone, organization, policy, links);

    expect(html).toBe(given);
  });

  it('has its own headers before ours', async () => {
    const words = { ...parts(), headers: [{ name: 'X-Ref', value: '42' }] };

    const { headers } = await composeEmail(words, alone, buildOrganization(), transactional, links);

    expect(headers.map(({ name }) => name)).toEqual([
      'X-Ref',
      'List-Unsubscribe',
      'List-Unsubscribe-Post',
    ]);
  });
});

describe('an email of HTML alone', () => {
  const textOf = async (htmlContent: string, policy: Pick<Policy, 'kind'> = transactional) => {
    const given = { subject: 'Your receipt', content: undefined, htmlContent };
    return (await composeEmail(given, alone, buildOrganization(), policy, links)).text;
  };

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
    ['to', { to: [...to, bob], cc: [], bcc: [] }],
    ['cc', { to, cc: [bob], bcc: [] }],
    ['bcc', { to, cc: [], bcc: [bob] }],
  ])('in %s has no link by which that one could speak for the first', async (_, recipients) => {
    const given = '<body><a href="https://shop.example.com/">Shop</a></body>';

    for (const policy of [transactional, bulk]) {
      const content = await composeEmail(
        parts(given),
        recipients,
        buildOrganization(),
        policy,
        links,
      );

      expect(content.headers).toEqual([]);
      expect(content.text).toBe('Thank you.');
      expect(content.html).not.toContain('token=');
    }
  });

  it('has its links tracked and a pixel all the same', async () => {
    const given = '<body><a href="https://shop.example.com/">Shop</a></body>';
    const recipients = { to, cc: [bob], bcc: [] };

    const { html } = await composeEmail(
      parts(given),
      recipients,
      buildOrganization(),
      transactional,
      links,
    );

    expect(html).toContain('https://s.example.com/t/c/');
    expect(html).toContain(links.openPixel);
  });
});

describe('a transactional email', () => {
  it('keeps its text as it is', async () => {
    const { text } = await composeEmail(parts(), alone, buildOrganization(), transactional, links);

    expect(text).toBe('Thank you.');
  });

  it('has no footer', async () => {
    const { html } = await composeEmail(
      parts('<p>Hi</p>'),
      alone,
      buildOrganization(),
      transactional,
      links,
    );

    expect(html).not.toContain('Unsubscribe');
  });
});

describe('a bulk email', () => {
  it('ends its text with the sender and both links, after a signature separator', async () => {
    const organization = buildOrganization({ footerText: 'Example Ltd, 1 High Street' });

    const { text } = await composeEmail(parts(), alone, organization, bulk, links);

    expect(text).toBe(
      'Thank you.\n\n-- \nExample Ltd, 1 High Street\n' +
        `Unsubscribe: ${links.unsubscribe}\nEmail preferences: ${links.preferences}\n`,
    );
  });

  it('names the organization when it has no footer text of its own', async () => {
    const { text } = await composeEmail(
      parts(),
      alone,
      buildOrganization({ name: 'Acme' }),
      bulk,
      links,
    );

    expect(text).toContain('-- \nAcme\n');
  });

  it('shows sender and links at the end of the body, untracked', async () => {
    const given = '<body><p>Hi</p></body>';

    const { html } = await composeEmail(parts(given), alone, buildOrganization(), bulk, links);

    expect(html).toContain(`href="${links.unsubscribe}"`);
    expect(html).toContain(`href="${links.preferences}"`);
    expect(html?.indexOf('Unsubscribe')).toBeLessThan(html?.indexOf('</body>') ?? 0);
  });

  it('shows the footer text as text, whatever it holds', async () => {
    const footerText = 'A & B <script>alert("1")</script>\nline 2';
    const organization = buildOrganization({ footerText });

    const { html } = await composeEmail(parts('<p>Hi</p>'), alone, organization, bulk, links);

    expect(html).toContain(
      'A &amp; B &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;<br>line 2<br>',
    );
    expect(html).not.toContain('<script>');
  });
});
