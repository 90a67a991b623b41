import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Caller } from '#shared/access/admit-caller';
import type { Send } from '#shared/sending/send';
import { toSendItem } from '#shared/sending/send-items';
import { commitAcceptance, getKeyedSend, recordRejection } from '#shared/sending/send-store';
import { newNonce, sendIdOf, slotIdOf } from '#shared/tokens/resource-id';
import { endpoint as freeIdempotencyKey } from '../../../functions/free-idempotency-key/free-idempotency-key.ts';
import { accountNow, openAccount } from '../../support/account.ts';
import { buildSend } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const key = 'welcome/ann@example.com';

/** An organization whose key has led to such a send, and a test emails' key of that name to another. */
async function openUsedKey(overrides?: Partial<Send>) {
  const account = await openAccount();
  const { table, organizationId } = account;
  const slotIds = {
    real: slotIdOf(organizationId, key),
    test: slotIdOf(organizationId, key, { isTest: true }),
  };
  const [real, test] = [slotIds.real, slotIds.test].map((slotId) =>
    buildSend({ id: sendIdOf(slotId, newNonce()), status: 'sent', ...overrides }),
  );
  if (real === undefined || test === undefined) throw new Error('no send');
  for (const send of overrides ? [real, test] : []) {
    await table.client.send(new PutCommand({ TableName: table.name, Item: toSendItem(send) }));
  }
  const sendOf = async (mode: keyof typeof slotIds = 'real') =>
    (await getKeyedSend(table, slotIds[mode], accountNow))?.send;
  return {
    ...account,
    send: real,
    free: (query: { readonly test?: 'true' } = {}, given: Partial<Caller> = {}) =>
      freeIdempotencyKey.run(
        { ...surroundings, caller: { ...account.caller, ...given }, path: { key }, query },
        account,
      ),
    sendOf,
    isFree: async (mode?: keyof typeof slotIds) => (await sendOf(mode)) === undefined,
  };
}

const past = { leaseExpiresAt: accountNow - 1 };
const future = { leaseExpiresAt: accountNow + 60_000 };
const refused = { attempt: 1, at: 1, reason: 'MessageRejected' };
const settled: readonly (readonly [string, Partial<Send>])[] = [
  ['is sent', { status: 'sent' }],
  ['is suppressed', { status: 'suppressed' }],
  ['is canceled', { status: 'canceled' }],
  ['SES refused', { status: 'failed', attempts: [refused] }],
  ['is proven to be out', { status: 'sending', ...past, provenAt: 1 }],
];
const unsettled: readonly (readonly [string, string, Partial<Send>])[] = [
  ['idempotency_in_progress', 'is under way', { status: 'sending', ...future }],
  ['send_in_doubt', 'was never answered', { status: 'sending', ...past }],
  [
    'send_in_doubt',
    'failed after one that was never answered',
    { status: 'failed', doubtUntil: 1 },
  ],
  [
    'send_in_doubt',
    'is suppressed after one that was never answered',
    { status: 'suppressed', doubtUntil: 1 },
  ],
  ['send_waiting', 'waits for its time', { status: 'scheduled', dueAt: accountNow + 60_000 }],
];

describe('freeIdempotencyKey', () => {
  it.each(settled)(
    'frees a key whose send %s, and audits that without an address',
    async (_how, overrides) => {
      const account = await openUsedKey(overrides);

      await account.free();

      expect([await account.isFree(), await account.isFree('test')]).toEqual([true, false]);
      const entries = await account.audit();
      expect(entries).toMatchObject([
        {
          ...{ actor: account.apiKey.id, action: 'idempotency_key.freed' },
          target: account.send.feedbackId,
        },
      ]);
      expect(JSON.stringify(entries)).not.toContain('@');
    },
  );

  it.each(unsettled)(
    'returns %s while the send %s, and frees nothing',
    async (code, _how, overrides) => {
      const account = await openUsedKey(overrides);

      expect((await serviceErrorOf(() => account.free())).code).toBe(code);

      expect(await account.isFree()).toBe(false);
      expect(await account.audit()).toEqual([]);
    },
  );

  it('says when to retry while the send is under way', async () => {
    const account = await openUsedKey({ status: 'sending', ...future });

    expect((await serviceErrorOf(() => account.free())).retryAfterSeconds).toBe(60);
  });

  it("doesn't find a key that no send has used", async () => {
    const account = await openUsedKey();

    expect((await serviceErrorOf(() => account.free())).code).toBe('idempotency_key_not_found');
  });

  it('frees a key once', async () => {
    const account = await openUsedKey({});
    await account.free();

    expect((await serviceErrorOf(() => account.free())).code).toBe('idempotency_key_not_found');
    expect(await account.audit()).toHaveLength(1);
  });

  it.each(['a manager', 'a test key'])(
    "frees a test emails' key when asked by %s, which isn't audited",
    async (who) => {
      const account = await openUsedKey({});
      const { apiKey } = account.caller;

      await (who === 'a manager'
        ? account.free({ test: 'true' })
        : account.free({}, { apiKey: { ...apiKey, test: true } }));

      expect([await account.isFree(), await account.isFree('test')]).toEqual([false, true]);
      expect(await account.audit()).toEqual([]);
    },
  );

  it('reads again when the send has changed in between, and then gives up', async () => {
    const acceptance = { providerMessageId: 'message-1', at: 1 };
    const [again, never] = [
      await openUsedKey({ providerMessageId: 'message-1' }),
      await openUsedKey({ providerMessageId: 'message-1' }),
    ];
    const reject = ({ table, send }: typeof again) =>
      recordRejection(table, send, acceptance, 'Bad content');
    again.beforeNextWrite(() => reject(again));
    never.beforeNextWrite(
      () => reject(never),
      async () => {
        const send = await never.sendOf();
        const other = { providerMessageId: 'message-2', at: 2 };
        if (send) await commitAcceptance(never.table, send, other, []);
      },
    );

    await again.free();
    const { code } = await serviceErrorOf(() => never.free());

    expect([await again.isFree(), await never.isFree()]).toEqual([true, false]);
    expect(await again.audit()).toHaveLength(1);
    expect(code).toBe('concurrent_change');
    expect(await never.audit()).toEqual([]);
  });
});
