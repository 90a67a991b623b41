import { describe, expect, it } from 'vitest';
import {
  type AuditEntry,
  actionText,
  differencesOf,
  idsIn,
  named,
  namesIn,
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
  ['person.invited', 'key_1', '/console/settings/people'],
  ['organization.updated', 'org_1', '/console/settings'],
  ['webhook.deleted', 'whk_1', undefined],
  ['contact.erased', 'con_1', undefined],
  ['suppression.lifted', 'con_1', undefined],
])('links %s of %s to %s', (action, target, expected) => {
  expect(targetAddress(entry({ action, target }))).toBe(expected);
});

it('knows what things are called by the newest entry that says it', () => {
  const newest = [
    entry({ target: 'whk_1', before: { description: 'a' }, after: { description: 'b' } }),
    entry({ target: 'whk_1', after: { url: 'https://new.example' } }),
    entry({ target: 'whk_1', after: { url: 'https://old.example' } }),
    entry({ target: 'tpl_1', before: { name: 'Receipt' } }),
  ];

  expect(Object.fromEntries(namesIn(newest))).toEqual({
    whk_1: 'https://new.example',
    tpl_1: 'Receipt',
  });
});

it('names the things among its values, and leaves the IDs of unknown ones', () => {
  const [known, unknown] = [`tpl_${'a'.repeat(32)}`, `tpl_${'b'.repeat(32)}`];
  const change = entry({ target: 'whk_1', actor: 'key_1', after: { templates: [known, unknown] } });

  expect(idsIn(change)).toEqual(['key_1', 'whk_1', known, unknown]);
  const nameOf = (id: string) => (id === known ? 'Receipt' : undefined);
  expect(named(`${known}, ${unknown}`, nameOf)).toBe(`Receipt, ${unknown}`);
});

describe('differencesOf', () => {
  it('pairs before and after, even where one is missing', () => {
    const before = { name: 'Old', perMinuteCap: 60, dailyCap: null, status: 'pending' };
    const after = { name: 'New', perMinuteCap: null, dailyCap: 5, status: 'pending' };

    expect(differencesOf(entry({ before, after }))).toEqual([
      { name: 'Name', before: 'Old', after: 'New' },
      { name: 'Recipients per minute', before: '60', after: undefined },
      { name: 'Recipients per day', before: undefined, after: '5' },
    ]);
  });

  it.each([
    ['validUntil', Date.UTC(2026, 10, 21), 'Expires', '2026-11-21T00:00:00.000Z'],
    ['validUntil', Number.MAX_SAFE_INTEGER, 'Expires', '9007199254740991'],
    ['at', Date.UTC(2026, 10, 21), 'At', '2026-11-21T00:00:00.000Z'],
    ['perDay', 1_795_219_200_000, 'Per day', '1795219200000'],
    ['paused', true, 'Paused', 'yes'],
    ['paused', false, 'Paused', 'no'],
    ['scopes', ['send_email', 'read_sends'], 'Scopes', 'send_email, read_sends'],
    ['scopes', [], 'Scopes', 'default scopes'],
    ['eventTypes', [], 'Events', 'all events'],
    ['replyTo', [], 'Reply-To', 'none'],
    ['changed', ['subject', 'htmlContent'], 'Changed parts', 'Subject, HTML body'],
    ['policy', { kind: 'bulk' }, 'Policy', 'kind bulk'],
    [
      'disabled',
      { at: Date.UTC(2026, 10, 21), reason: 'by_owner' },
      'Disabled',
      'at 2026-11-21T00:00:00.000Z, reason by_owner',
    ],
    [
      'domains',
      [{ domain: 'a.example', status: 'active' }, { domain: 'b.example' }],
      'Domains',
      'domain a.example, status active; domain b.example',
    ],
  ])('writes %s %j as %s: %s', (field, value, name, after) => {
    expect(differencesOf(entry({ after: { [field]: value } }))).toEqual([
      { name, before: undefined, after },
    ]);
  });

  it('leaves out what says nothing', () => {
    const after = { description: '', changed: [], limits: {} };

    expect(differencesOf(entry({ after }))).toEqual([]);
  });

  it('is empty for an entry without values', () => {
    expect(differencesOf(entry({}))).toEqual([]);
  });
});
