import { describe, expect, it } from 'vitest';
import { newConfirmationRequest } from '#shared/notices/confirmation';
import type { Organization } from '#shared/organizations/organization';
import {
  endpoint,
  updateOrganizationSettings,
} from '../../../functions/update-organization-settings/update-organization-settings.ts';
import { openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

async function openSettings(given: Partial<Organization> = {}) {
  const account = await openAccount(given);
  const doing = { ...account, sendRetentionDays: 90 };
  const update = (body: unknown) =>
    updateOrganizationSettings({ caller: account.caller, body: endpoint.body.parse(body) }, doing);
  return { ...account, update };
}

const noticeEmail = 'ops@example.com';
const pending = { noticeEmail, noticeEmailState: 'pending' } as const;

describe('updateOrganizationSettings', () => {
  it('sets the given fields, on behalf of the key', async () => {
    const account = await openSettings();
    const settings = {
      name: 'New Ltd',
      senderName: 'New',
      replyTo: 'Help@example.com',
      noticeEmail,
      footerText: 'New Ltd\n1 Street',
      unsubscribePageUrl: 'https://example.com/bye',
      defaultPolicyKey: 'bulk',
      sendRetentionDays: 30,
      tracking: { opens: false },
      transactionalUnsubscribe: false,
    };

    const changed = await account.update(settings);

    const audit = await account.audit();
    expect(changed).toEqual({
      ...account.organization,
      ...settings,
      noticeEmailState: 'pending',
      noticeEmailVersion: expect.any(String),
      updatedAt: account.clock.at,
    });
    expect(await account.stored()).toEqual(changed);
    expect(audit).toMatchObject([{ actor: account.apiKey.id }]);
    expect(JSON.stringify(audit)).not.toContain('@');
  });

  it.each([
    { change: 'replaced', replacement: 'thief@example.com' },
    { change: 'removed', replacement: null },
  ])('tells the confirmed address for notices that it was $change', async ({ replacement }) => {
    const account = await openSettings({ noticeEmail, noticeEmailState: 'confirmed' });

    await account.update({ noticeEmail: replacement });

    expect(account.notices()).toContainEqual(
      expect.objectContaining({ cause: 'sensitive_change', to: noticeEmail }),
    );
  });

  it.each([
    { what: "an unconfirmed address for notices that it's replaced", before: pending },
    { what: 'the first address for notices that there was another', before: {} },
  ])("doesn't tell $what", async ({ before }) => {
    const account = await openSettings(before);

    await account.update({ noticeEmail: 'new@example.com' });

    expect(account.notices()).not.toContainEqual(
      expect.objectContaining({ cause: 'sensitive_change' }),
    );
  });

  it.each([
    { which: 'a new address', before: {} },
    { which: 'an address that is set again unconfirmed', before: pending },
  ])('asks $which whether it wants notices', async ({ before }) => {
    const account = await openSettings(before);

    const changed = await account.update({ noticeEmail });

    expect(account.notices()).toEqual([
      expect.objectContaining(newConfirmationRequest(changed, account.clock.at)),
    ]);
  });

  it.each([
    { when: 'it is confirmed', before: { noticeEmail, noticeEmailState: 'confirmed' } as const },
    { when: 'no domain is active', before: { identity: undefined } },
    { when: 'it is removed', before: pending, body: { noticeEmail: null } },
    { when: 'other settings change', before: pending, body: { name: 'New' } },
  ])("doesn't ask the address for notices when $when", async ({ before, body }) => {
    const account = await openSettings(before);

    await account.update(body ?? { noticeEmail });

    expect(account.notices()).toEqual([]);
  });

  it('makes a new address pending, even if the old one was confirmed', async () => {
    const confirmed = {
      noticeEmail,
      noticeEmailState: 'confirmed',
      noticeEmailVersion: 'first',
    } as const;
    const other = await openSettings(confirmed);
    const same = await openSettings(confirmed);
    const none = await openSettings(confirmed);

    const states = [
      await other.update({ noticeEmail: 'new@example.com' }),
      await same.update({ noticeEmail, name: 'New' }),
      await none.update({ noticeEmail: null }),
    ];

    expect(states.map(({ noticeEmailState }) => noticeEmailState)).toEqual([
      'pending',
      'confirmed',
      undefined,
    ]);
    expect(states[0]?.noticeEmailVersion).not.toBe('first');
    expect(JSON.stringify(await other.audit())).not.toContain('Version');
  });

  it('removes settings that are null, and leaves the rest', async () => {
    const account = await openSettings({
      senderName: 'Old',
      footerText: 'Old',
      replyTo: 'a@example.com',
    });

    await account.update({ senderName: null, replyTo: null });

    const stored = await account.stored();
    expect(stored).not.toHaveProperty('senderName');
    expect(stored).not.toHaveProperty('replyTo');
    expect(stored?.footerText).toBe('Old');
  });

  it("takes only one of the organization's policies as the default", async () => {
    const account = await openSettings({ policies: { receipts: { kind: 'transactional' } } });

    await account.update({ defaultPolicyKey: 'receipts' });
    const error = await serviceErrorOf(() => account.update({ defaultPolicyKey: 'nope' }));

    expect((await account.stored())?.defaultPolicyKey).toBe('receipts');
    expect(error.errors).toEqual([
      {
        path: 'defaultPolicyKey',
        message: 'unknown policy: use one of receipts, transactional, bulk',
      },
    ]);
  });

  it('keeps sends no longer than the deployment does', async () => {
    const account = await openSettings();

    const error = await serviceErrorOf(() => account.update({ sendRetentionDays: 91 }));
    const { updatedAt } = (await account.stored()) ?? {};
    const changed = await account.update({ sendRetentionDays: 90 });

    expect(error.errors?.[0]).toMatchObject({ path: 'sendRetentionDays' });
    expect(error.errors?.[0]?.message).toContain('at most 90');
    expect(updatedAt).toBe(account.organization.updatedAt);
    expect(changed.sendRetentionDays).toBe(90);
  });
});

describe('the request', () => {
  it.each([
    {},
    { name: null },
    { paused: true },
    { attachmentsEnabled: true },
    { identity: null },
    { senderName: 'A\r\nBcc: b@example.com' },
    { replyTo: 'Ann <ann@example.com>' },
    { noticeEmail: 'ann' },
    { unsubscribePageUrl: 'http://example.com' },
    { defaultPolicyKey: 'No Key' },
    { sendRetentionDays: 0 },
    { sendRetentionDays: 1.5 },
  ])('is refused as %o', (body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });
});
