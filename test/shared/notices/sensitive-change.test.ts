import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { noticeToFormerAddress, sensitiveNotice } from '#shared/notices/sensitive-change';
import {
  enteredKeyIdOf,
  newApiKeyId,
  newOrganizationId,
  newSessionId,
  newWebhookId,
  operatorsId,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';

const organizationId = newOrganizationId();
const key = newApiKeyId(organizationId);
const session = newSessionId(organizationId);
const webhook = newWebhookId(organizationId);
const at = Date.UTC(2026, 10, 28, 9, 30);

type Values = Readonly<Record<string, unknown>>;
type Given = { readonly action: string; readonly before?: Values; readonly after?: Values };

const entryOf = (change: Given, actor: Parameters<typeof newAuditEntry>[1] = { key, session }) =>
  newAuditEntry(organizationId, actor, { target: webhook, ...change }, at);
const noticeOf = (...given: Parameters<typeof entryOf>) => sensitiveNotice(entryOf(...given));

const lasting = [
  { action: 'webhook.created', after: { url: 'https://evil.example' } },
  { action: 'webhook.updated', before: { url: 'https://a.example' }, after: { url: 'https://b' } },
  { action: 'webhook.secret_rotated' },
  { action: 'organization.updated', before: { replyTo: null }, after: { replyTo: 'an address' } },
  { action: 'organization.updated', after: { unsubscribePageUrl: 'https://evil.example' } },
  { action: 'organization.updated', after: { keylessReading: true } },
  { action: 'template.updated', after: { changed: ['replyTo'] } },
  { action: 'api_key.created' },
  { action: 'api_key.rotated', after: { replacedBy: 'key_2' } },
  { action: 'api_key.updated', before: { scopes: [] }, after: { scopes: ['read_sends'] } },
];
const read = [
  { action: 'suppressions.exported' },
  { action: 'audit.exported' },
  { action: 'sends.exported' },
  { action: 'contact.exported' },
  { action: 'webhook.secret_read' },
  { action: 'email.content_read', after: { resent: true } },
];

describe('a change that sends data out', () => {
  it.each([...lasting, ...read])(
    'files a notice that names session, key and thing: $action',
    (change) => {
      const notice = noticeOf(change);

      expect(notice).toMatchObject({ organizationId, cause: 'sensitive_change', at });
      expect(notice?.text).toContain(session);
      expect(notice?.text).toContain(`DELETE /api/v1/api-keys/${key}`);
      expect(notice?.text).toContain('2026-11-28T09:30:00.000Z');
      expect(`${notice?.subject} ${notice?.text}`).not.toMatch(/undefined|null|@/);
    },
  );

  it.each(lasting)('files one when a program makes it, too: $action', (change) => {
    expect(noticeOf(change, key)?.text).toMatch(/^A program with the API key key_/);
  });

  it.each(read)('files none when a program reads: $action', (change) => {
    expect(noticeOf(change, key)).toBeUndefined();
  });

  it.each([
    { action: 'webhook.updated', after: { description: 'New' } },
    { action: 'webhook.deleted' },
    { action: 'organization.updated', after: { footerText: 'New' } },
    { action: 'organization.updated', after: { keylessReading: false } },
    { action: 'template.updated', after: { changed: ['subject'] } },
    { action: 'template.updated', after: { changed: 'replyTo' } },
    { action: 'api_key.updated', after: { name: 'New' } },
    { action: 'api_key.revoked' },
    { action: 'email.content_read' },
    { action: 'toString' },
  ])('is not $action with $after', (change) => {
    expect(noticeOf(change)).toBeUndefined();
  });

  it('is told once an hour for each kind, so a loop can’t use up the day’s notices', () => {
    const [first, second] = [
      noticeOf({ action: 'api_key.created' }),
      noticeOf({ action: 'api_key.created' }),
    ];
    const hourLater = { ...entryOf({ action: 'api_key.created' }), at: at + 3_600_000 };

    expect(first?.about).toBe(second?.about);
    expect(sensitiveNotice(hourLater)?.about).not.toBe(first?.about);
  });

  it('by the operator names no key to revoke', () => {
    const notice = noticeOf({ action: 'api_key.created' }, 'operator');

    expect(notice?.text).toMatch(/^The operator of the service created/);
    expect(notice?.text).not.toContain('DELETE');
  });

  it('by a person who operates the service names nobody to remove, either', () => {
    const operator = personalKeyIdOf(operatorsId, 'ops@example.com');
    const actor = { key: operator, session: newSessionId(operatorsId), isPerson: true } as const;

    const notice = noticeOf({ action: 'api_key.created' }, actor);

    expect(notice?.text).toMatch(/^The operator of the service created/);
    expect(notice?.text).not.toContain('DELETE');
  });

  it('says why an operator entered the console, and how to end that', () => {
    const visitor = enteredKeyIdOf(organizationId, 'ops@example.com');
    const actor = { key: visitor, session, isPerson: true } as const;
    const change = { action: 'operator.entered', after: { reason: 'Ticket 4711' } };

    const notice = noticeOf(change, actor);

    expect(notice?.text).toContain('entered your console, because: Ticket 4711');
    expect(notice?.text).toContain(`DELETE /api/v1/people/${visitor}`);
  });
});

it('a former address for notices gets one of its own', () => {
  const entry = entryOf({ action: 'organization.updated', after: { noticeEmail: 'an address' } });

  const notice = noticeToFormerAddress(entry, 'ops@example.com');

  expect(notice?.to).toBe('ops@example.com');
  expect(notice?.about).not.toBe(sensitiveNotice(entry)?.about);
  expect(notice?.text).toContain('where these notices go');
});
