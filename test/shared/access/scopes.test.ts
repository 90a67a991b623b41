import { describe, expect, it } from 'vitest';
import { hasScope, scopes } from '#shared/access/scopes';

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
