import { describe, expect, it } from 'vitest';
import {
  type AuditEntry,
  actionText,
  differencesOf,
  targetAddress,
} from '../../../../../functions/show-console/app/settings/audit-entry.ts';

const entry = (change: Partial<AuditEntry>): AuditEntry => ({
  id: 'aud_1',
  at: 0,
  actor: 'operator',
  action: 'organization.updated',
  target: 'org_1',
  ...change,
});

it.each([
  ['api_key.created', 'API key created'],
  ['webhook.secret_rotated', 'Webhook secret rotated'],
  ['sign_in_link.created', 'Sign-in link created'],
  ['policy.put', 'Policy set'],
  ['something_new.became_so', 'Something new became so'],
  ['odd', 'Odd'],
])('says %s in words', (action, expected) => {
  expect(actionText(action)).toBe(expected);
});

it.each([
  ['api_key.revoked', 'key_1', '/console/keys?key=key_1'],
  ['webhook.updated', 'whk_1', '/console/webhooks/whk_1'],
  ['template.created', 'tpl_1', '/console/templates/tpl_1'],
  ['policy.put', 'offers', '/console/settings/policies'],
  ['organization.updated', 'org_1', '/console/settings'],
  ['webhook.deleted', 'whk_1', undefined],
  ['contact.erased', 'con_1', undefined],
  ['suppression.lifted', 'con_1', undefined],
])('links %s of %s to %s', (action, target, expected) => {
  expect(targetAddress(entry({ action, target }))).toBe(expected);
});

describe('differencesOf', () => {
  it('pairs before and after, even where one is missing', () => {
    const before = { name: 'Old', perMinuteCap: 60, dailyCap: null, status: 'pending' };
    const after = { name: 'New', perMinuteCap: null, dailyCap: 5, status: 'pending' };

    expect(differencesOf(entry({ before, after }))).toEqual([
      { name: 'name', before: 'Old', after: 'New' },
      { name: 'perMinuteCap', before: '60', after: undefined },
      { name: 'dailyCap', before: undefined, after: '5' },
    ]);
  });

  it.each([
    ['validUntil', Date.UTC(2026, 10, 21), '2026-11-21T00:00:00.000Z'],
    ['at', Date.UTC(2026, 10, 21), '2026-11-21T00:00:00.000Z'],
    ['perDay', 1_795_219_200_000, '1795219200000'],
    ['paused', true, 'yes'],
    ['paused', false, 'no'],
    ['scopes', ['send_email', 'read_sends'], 'send_email, read_sends'],
    ['scopes', [], 'empty'],
    ['policy', { kind: 'bulk' }, '{"kind":"bulk"}'],
  ])('writes %s %j as %s', (name, value, expected) => {
    expect(differencesOf(entry({ after: { [name]: value } }))).toEqual([
      { name, before: undefined, after: expected },
    ]);
  });

  it('is empty for an entry without values', () => {
    expect(differencesOf(entry({}))).toEqual([]);
  });
});
