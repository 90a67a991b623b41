import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import {
  endpoint,
  updateOrganizationSettings,
} from '../../../functions/update-organization-settings/update-organization-settings.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import {
  fakeOrganizationVersions,
  managementNow,
} from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const manager = buildManager();

function prepare(body: unknown, overrides: Partial<Organization> = {}) {
  const organization = buildOrganization({ id: manager.organizationId, ...overrides });
  const { management, written } = fakeOrganizationVersions([organization]);
  const asked: (string | undefined)[] = [];
  const confirmations = {
    requestBeside: async ({ noticeEmail }: Organization) => {
      asked.push(noticeEmail);
    },
  };
  const changing = { ...management, confirmations, sendRetentionDays: 90 };
  const request = { caller: manager.caller, body: endpoint.body.parse(body) };
  const run = () => updateOrganizationSettings(request, changing);
  return { run, written, organization, asked };
}

describe('updateOrganizationSettings', () => {
  it('sets the given fields, in the name of the key', async () => {
    const settings = {
      name: 'New Ltd',
      senderName: 'New',
      replyTo: 'Help@example.com',
      noticeEmail: 'ops@example.com',
      footerText: 'New Ltd\n1 Street',
      unsubscribePageUrl: 'https://example.com/bye',
      defaultPolicyKey: 'bulk',
      sendRetentionDays: 30,
      tracking: { opens: false },
      transactionalUnsubscribe: false,
    };
    const { run, written, organization } = prepare(settings);

    const changed = await run();

    expect(changed).toEqual({
      ...organization,
      ...settings,
      noticeEmailState: 'pending',
      noticeEmailVersion: expect.any(String),
      updatedAt: managementNow,
    });
    expect(written[0]?.after).toEqual(changed);
    expect(written[0]?.entry.actor).toBe(manager.actor);
    expect(JSON.stringify(written[0]?.entry)).not.toContain('@');
  });

  it.each([
    { change: 'replaced', noticeEmail: 'thief@example.com' },
    { change: 'removed', noticeEmail: null },
  ])(
    'tells the confirmed address for notices, in the same write, that it is $change',
    async ({ noticeEmail }) => {
      const { run, written } = prepare(
        { noticeEmail },
        { noticeEmail: 'ops@example.com', noticeEmailState: 'confirmed' },
      );

      await run();

      expect(written[0]?.beside).toMatchObject([
        { Put: { Item: { cause: 'sensitive_change', to: 'ops@example.com' } } },
      ]);
    },
  );

  it.each([
    { what: 'an address that nobody confirmed', before: { noticeEmail: 'ops@example.com' } },
    { what: 'nobody', before: {} },
  ])('tells $what nothing of a new address for notices', async ({ before }) => {
    const { run, written } = prepare({ noticeEmail: 'new@example.com' }, before);

    await run();

    expect(written).toMatchObject([{ beside: [] }]);
  });

  it('asks a new address for notices whether it wants them, and an old one that has not said so', async () => {
    const noticeEmail = 'ops@example.com';
    const worlds = [
      prepare({ noticeEmail }),
      prepare({ noticeEmail }, { noticeEmail }),
      prepare({ noticeEmail }, { noticeEmail, noticeEmailState: 'confirmed' }),
      prepare({ noticeEmail }, { identity: undefined }),
      prepare({ noticeEmail: null }, { noticeEmail }),
      prepare({ name: 'New' }, { noticeEmail }),
    ];

    for (const { run } of worlds) await run();

    expect(worlds.map(({ asked }) => asked)).toEqual([
      [noticeEmail],
      [noticeEmail],
      [],
      [],
      [],
      [],
    ]);
  });

  it('makes a new address pending, also where the old one was confirmed, and leaves one that is the same', async () => {
    const confirmed = {
      noticeEmail: 'ops@example.com',
      noticeEmailState: 'confirmed',
      noticeEmailVersion: 'first',
    } as const;
    const other = prepare({ noticeEmail: 'new@example.com' }, confirmed);
    const same = prepare({ noticeEmail: confirmed.noticeEmail, name: 'New' }, confirmed);
    const none = prepare({ noticeEmail: null }, confirmed);

    const states = await Promise.all([other, same, none].map(({ run }) => run()));

    expect(states.map(({ noticeEmailState }) => noticeEmailState)).toEqual([
      'pending',
      'confirmed',
      undefined,
    ]);
    expect(states[0]?.noticeEmailVersion).not.toBe('first');
    expect(JSON.stringify(other.written[0]?.entry)).not.toContain('Version');
  });

  it('takes away what is null, and leaves the rest', async () => {
    const settings = { senderName: 'Old', footerText: 'Old', replyTo: 'a@example.com' };
    const { run } = prepare({ senderName: null, replyTo: null }, settings);

    const changed = await run();

    expect(changed).not.toHaveProperty('senderName');
    expect(changed).not.toHaveProperty('replyTo');
    expect(changed.footerText).toBe('Old');
  });

  it('takes a policy of the organization as the default, and no other', async () => {
    const policies = { receipts: { kind: 'transactional' } } as const;

    const changed = await prepare({ defaultPolicyKey: 'receipts' }, { policies }).run();
    const error = await serviceErrorOf(prepare({ defaultPolicyKey: 'nope' }, { policies }).run);

    expect(changed.defaultPolicyKey).toBe('receipts');
    expect(error.errors).toEqual([
      {
        path: 'defaultPolicyKey',
        message: 'unknown policy: use one of receipts, transactional, bulk',
      },
    ]);
  });

  it('keeps sends no longer than the deployment does', async () => {
    const { run, written } = prepare({ sendRetentionDays: 91 });

    const error = await serviceErrorOf(run);

    expect(error.errors?.[0]).toMatchObject({ path: 'sendRetentionDays' });
    expect(error.errors?.[0]?.message).toContain('at most 90');
    expect(written).toEqual([]);
    expect((await prepare({ sendRetentionDays: 90 }).run()).sendRetentionDays).toBe(90);
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
