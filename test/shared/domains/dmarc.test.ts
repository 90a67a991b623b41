import { describe, expect, it } from 'vitest';
import { dmarcNamesOf, findDmarc, isDmarc } from '#shared/domains/dmarc';
import type { DnsAnswer } from '#shared/domains/dns-records';

/** What receivers find for a domain, when these names and no others have texts. */
function find(domain: string, texts: Readonly<Record<string, DnsAnswer>>) {
  const names = dmarcNamesOf(domain);
  return findDmarc(
    names,
    names.map((name) => texts[name.replace('_dmarc.', '')] ?? []),
  );
}

describe('findDmarc', () => {
  it("finds the domain's own record", () => {
    const found = find('mail.example.com', {
      'mail.example.com': ['v=DMARC1; p=quarantine; sp=none'],
      'example.com': ['v=DMARC1; p=reject'],
    });

    expect(found).toMatchObject({ name: '_dmarc.mail.example.com', policy: 'quarantine' });
  });

  it('finds the policy of a domain above', () => {
    const found = find('mail.example.com', { 'example.com': ['v=DMARC1; p=reject'] });

    expect(found).toEqual({
      name: '_dmarc.example.com',
      value: 'v=DMARC1; p=reject',
      policy: 'reject',
    });
  });

  it.each([
    ['v=DMARC1; p=none; sp=reject', 'reject'],
    ['v=DMARC1; p=reject; sp=none', 'none'],
    ['v=DMARC1; p=reject; sp=nonsense', 'reject'],
    ['v=DMARC1; rua=mailto:x@example.com', 'none'],
    ['v=DMARC1; P = reject', 'reject'],
  ])('reads of %s above a domain that %s applies to it', (text, policy) => {
    expect(find('mail.example.com', { 'example.com': [text] })).toMatchObject({ policy });
  });

  it('takes of several domains above the organizational one, not the nearest', () => {
    const found = find('a.mail.example.com', {
      'mail.example.com': ['v=DMARC1; p=none'],
      'example.com': ['v=DMARC1; p=reject'],
    });

    expect(found).toMatchObject({ name: '_dmarc.example.com', policy: 'reject' });
  });

  it('stops below a registry, and at a domain that calls itself organizational', () => {
    const registry = ['v=DMARC1; p=reject; psd=y'];
    const below = { 'co.example': registry, 'firm.co.example': ['v=DMARC1; p=quarantine'] };

    expect(find('mail.firm.co.example', below)).toMatchObject({ name: '_dmarc.firm.co.example' });
    expect(find('mail.firm.co.example', { 'co.example': registry })).toMatchObject({
      name: '_dmarc.co.example',
    });
    expect(
      find('a.b.example.com', {
        'b.example.com': ['v=DMARC1; p=quarantine; psd=n'],
        'example.com': ['v=DMARC1; p=reject'],
      }),
    ).toMatchObject({ name: '_dmarc.b.example.com' });
  });

  it('does as if several records under a name were none', () => {
    const own = ['v=DMARC1; p=none', 'v=DMARC1; p=reject'];

    expect(find('mail.example.com', { 'mail.example.com': own })).toBe('none');
  });

  it('finds nothing where there is nothing, and does not guess when DNS is silent', () => {
    expect(find('mail.example.com', {})).toBe('none');
    expect(find('mail.example.com', { 'example.com': 'unanswered' })).toBe('unanswered');
    expect(
      find('mail.example.com', {
        'mail.example.com': 'unanswered',
        'example.com': ['v=DMARC1; p=none'],
      }),
    ).toBe('unanswered');
    expect(
      find('mail.example.com', { 'example.com': ['v=DMARC1; p=reject'], com: 'unanswered' }),
    ).toMatchObject({ policy: 'reject' });
  });

  it('asks eight names at most', () => {
    const names = dmarcNamesOf('a.b.c.d.e.f.g.h.i.example.com');

    expect(names).toHaveLength(8);
    expect(names[0]).toBe('_dmarc.a.b.c.d.e.f.g.h.i.example.com');
    expect(names[1]).toBe('_dmarc.e.f.g.h.i.example.com');
    expect(dmarcNamesOf('example.com')).toEqual(['_dmarc.example.com', '_dmarc.com']);
  });
});

describe('isDmarc', () => {
  it.each(['v=DMARC1; p=none', 'v = DMARC1 ;p=none', 'v=DMARC1'])('takes %j', (text) => {
    expect(isDmarc(text)).toBe(true);
  });

  it.each([
    ' v=DMARC1; p=none',
    'v=dmarc1; p=none',
    'p=none; v=DMARC1',
    '"v=DMARC1;"',
    'v=DMARC12',
  ])('does not take %j, as no receiver does', (text) => {
    expect(isDmarc(text)).toBe(false);
  });
});
