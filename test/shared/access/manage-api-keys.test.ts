import { describe, expect, it } from 'vitest';
import { createApiKey, revokeApiKey, updateApiKey } from '#shared/access/manage-api-keys';
import { endpoint } from '../../../functions/create-api-key/create-api-key.ts';
import { rotateApiKey } from '../../../functions/rotate-api-key/rotate-api-key.ts';
import { openKeyManagement } from '../../support/api-key-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type KeySettings = Parameters<Awaited<ReturnType<typeof openKeyManagement>>['addKey']>[0];

/** A caller whose key has `sending_keys_manage` alone, and another key of its organization. */
async function withSendingKeysManage(settings: KeySettings = {}) {
  const opened = await openKeyManagement([settings]);
  const caller = {
    ...opened.caller,
    apiKey: { ...opened.apiKey, scopes: ['sending_keys_manage' as const] },
  };
  const { management, target } = opened;
  const path = { id: target.id };
  const doers = {
    change: () => updateApiKey({ caller, path, body: { name: 'new' } }, management),
    rotate: () => rotateApiKey({ caller, path, body: { overlapHours: 24 } }, management),
    revoke: () => revokeApiKey({ caller, path, query: {} }, management),
  } as const;
  return { ...opened, caller, path, doers };
}

const acts = ['change', 'rotate', 'revoke'] as const;

describe('with sending_keys_manage alone', () => {
  it.each<[string, KeySettings]>([
    ['without scopes', {}],
    ['that sends', { scopes: ['send_email'] }],
    ['that manages templates', { scopes: ['templates_manage'] }],
    ['for tests that reads', { test: true, scopes: ['read_sends'] }],
  ])('a caller creates, changes, rotates and revokes a key %s', async (_, settings) => {
    const { caller, management } = await withSendingKeysManage();
    const { scopes = [], test = false } = settings ?? {};
    const body = endpoint.body.parse({ name: 'shop', scopes, test });

    expect(await createApiKey({ caller, body }, management)).toHaveProperty('text');
    for (const act of acts) {
      const { doers } = await withSendingKeysManage(settings);
      await doers[act]();
    }
  });

  it.each([
    'read_sends',
    'read_content',
    'manage_organization',
    'sending_keys_manage',
    'domains_manage',
  ])('a caller neither creates nor changes, rotates or revokes a key with %s', async (scope) => {
    const settings = { scopes: ['send_email', scope] };
    for (const act of acts) {
      const { doers, target, storedKey } = await withSendingKeysManage(settings);

      expect((await serviceErrorOf(doers[act])).code).toBe('missing_scope');
      expect(await storedKey(target.id)).toEqual(target);
    }
  });

  it('a caller creates no key that reads, and gives no key more than sending', async () => {
    const { caller, path, management, target, items, storedKey } = await withSendingKeysManage();
    const scopes = ['read_sends' as const];
    const before = items();

    const created = () => createApiKey({ caller, body: { name: 'spy', scopes } }, management);
    const changed = () => updateApiKey({ caller, path, body: { scopes } }, management);

    for (const act of [created, changed]) {
      expect(await serviceErrorOf(act)).toMatchObject({
        code: 'missing_scope',
        message: expect.stringContaining('manage_organization'),
      });
    }
    expect(items()).toEqual(before);
    expect(await storedKey(target.id)).toEqual(target);
  });
});
