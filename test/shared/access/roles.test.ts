import { describe, expect, it } from 'vitest';
import { roles, scopesOfRole } from '#shared/access/roles';
import { hasScope, requireScope, scopes } from '#shared/access/scopes';
import { serviceErrorOf } from '../../support/service-error.ts';

describe('scopesOfRole', () => {
  it.each(['owner', 'constructor', '__proto__', ''])(
    'gives a role %o, which this version does not know, nothing, not even what a key without scopes may',
    (role) => {
      expect(scopes.filter((scope) => hasScope(scopesOfRole(role), scope))).toEqual([]);
    },
  );

  it('gives every role what a viewer has, and an admin everything', () => {
    for (const role of roles) {
      expect(scopesOfRole(role)).toEqual(expect.arrayContaining([...scopesOfRole('viewer')]));
    }
    expect(scopesOfRole('admin')).toEqual(scopes);
  });
});

it('somebody whose role lacks a scope is told so, and not about an API key', async () => {
  const person = { email: 'carol@example.com', role: 'viewer' };
  const { code, message } = await serviceErrorOf(() =>
    requireScope({ scopes: scopesOfRole('viewer'), person }, 'manage_organization'),
  );

  expect(code).toBe('missing_scope');
  expect(message).toMatch(/^Your role doesn’t include the scope manage_organization/);
});
