import { describe, expect, it } from 'vitest';
import { hasScope, isOfSender, scopes } from '#shared/access/scopes';

describe('hasScope', () => {
  it('gives a key without scopes the default send permissions and nothing more', () => {
    const granted = scopes.filter((scope) => hasScope([], scope));

    expect(granted).toEqual(['send_email', 'templates_manage']);
  });

  it.each(scopes)('gives a key that lists %s only that scope', (scope) => {
    const granted = scopes.filter((wanted) => hasScope([scope], wanted));

    expect(granted).toEqual([scope]);
  });

  it('gives a key whose scopes are all from a newer version nothing, not even the default', () => {
    expect(scopes.filter((scope) => hasScope(['domains_manage'], scope))).toEqual([]);
  });

  it('gives a key that lists every scope all of them', () => {
    expect(scopes.every((scope) => hasScope(scopes, scope))).toBe(true);
  });
});

describe('isOfSender', () => {
  it.each([
    ['has no scopes', { scopes: [] }, true],
    ['sends', { scopes: ['send_email'] }, true],
    ['sends and manages templates', { scopes: ['send_email', 'templates_manage'] }, true],
    ['is for tests', { test: true as const, scopes: ['read_sends'] }, true],
    ['also reads', { scopes: ['send_email', 'read_sends'] }, false],
    ['has a scope of a newer version', { scopes: ['domains_manage'] }, false],
  ])('of a key that %s', (_, apiKey, expected) => {
    expect(isOfSender(apiKey)).toBe(expected);
  });
});
