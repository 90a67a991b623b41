import { describe, expect, it } from 'vitest';
import type { ApiKey } from '#shared/access/api-key';
import { putApiKey } from '#shared/access/api-key-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { readTimeline } from '#shared/send-history/admit-timeline-reader';
import type { Send } from '#shared/sending/send';
import { newOrganizationId, organizationIdOf, sendIdSchema } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { claimSend } from '../../support/claim-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { presenting } from '../../support/presenting.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;
const organizationId = newOrganizationId();

const buildOwnSend = (overrides: Partial<Send> = {}) =>
  buildSend({ id: newSendId(organizationId), ...overrides });

type World = {
  readonly send?: Send;
  readonly apiKeys?: readonly ApiKey[];
  /** Whether the organization was deleted. */
  readonly isDeleted?: boolean;
  readonly keylessReading?: boolean;
};

/** Reads from a table with one send and some keys. */
async function read(
  id: string,
  credential: string | undefined,
  { send, apiKeys = [], isDeleted = false, keylessReading = true }: World,
) {
  const { table } = openMemoryTable();
  const organization = buildOrganization({ id: organizationId, keylessReading });
  if (!isDeleted) await putOrganization(table, organization);
  for (const apiKey of apiKeys) {
    const owner = organizationIdOf(apiKey.id);
    if (owner !== organizationId) await putOrganization(table, buildOrganization({ id: owner }));
    await putApiKey(table, apiKey);
  }
  if (send !== undefined) await claimSend(table, send);
  return readTimeline(presenting(credential), sendIdSchema.safeParse(id).data, {
    table,
    now: () => now,
  });
}

const readers = {
  nobody: () => ({ text: undefined, apiKeys: [] }),
  'a key without scopes': () => toReader(buildApiKey({ organizationId })),
  'a key with read_sends': () => toReader(buildApiKey({ organizationId, scopes: ['read_sends'] })),
  'a key with other scopes': () =>
    toReader(buildApiKey({ organizationId, scopes: ['send_email', 'manage_organization'] })),
  'a foreign key with read_sends': () => toReader(buildApiKey({ scopes: ['read_sends'] })),
  'a foreign key without scopes': () => toReader(buildApiKey()),
  'a revoked key with read_sends': () =>
    toReader(buildApiKey({ organizationId, scopes: ['read_sends'], revokedAt: now })),
  'an expired key with read_sends': () =>
    toReader(buildApiKey({ organizationId, scopes: ['read_sends'], validUntil: now })),
  'an unknown key': () => ({ text: buildApiKey({ organizationId }).text, apiKeys: [] }),
  'no key of ours': () => ({ text: 'nonsense', apiKeys: [] }),
} as const;

const toReader = ({ text, apiKey }: ReturnType<typeof buildApiKey>) => ({
  text,
  apiKeys: [apiKey],
});

type Reader = keyof typeof readers;

/** What each reader gets: for a send made without scopes, one made with scopes, and an unknown id. */
const accessTable: readonly (readonly [Reader, string, string, string])[] = [
  ['nobody', 'timeline', 'invalid_api_key', 'send_not_found'],
  ['a key without scopes', 'timeline', 'missing_scope', 'send_not_found'],
  ['a key with read_sends', 'timeline', 'timeline', 'send_not_found'],
  ['a key with other scopes', 'missing_scope', 'missing_scope', 'missing_scope'],
  ['a foreign key with read_sends', 'send_not_found', 'send_not_found', 'send_not_found'],
  ['a foreign key without scopes', 'send_not_found', 'send_not_found', 'send_not_found'],
  ['a revoked key with read_sends', 'invalid_api_key', 'invalid_api_key', 'invalid_api_key'],
  ['an expired key with read_sends', 'invalid_api_key', 'invalid_api_key', 'invalid_api_key'],
  ['an unknown key', 'invalid_api_key', 'invalid_api_key', 'invalid_api_key'],
  ['no key of ours', 'invalid_api_key', 'invalid_api_key', 'invalid_api_key'],
];

async function resultOf(reader: Reader, id: string, send?: Send): Promise<string> {
  const { text, apiKeys } = readers[reader]();
  const run = () => read(id, text, { apiKeys, ...(send && { send }) });
  try {
    const timeline = await run();
    return timeline.send.id === send?.id ? 'timeline' : 'another timeline';
  } catch {
    const { code } = await serviceErrorOf(run);
    return code;
  }
}

describe('readTimeline', () => {
  it('covers every kind of reader', () => {
    expect(accessTable.map(([reader]) => reader)).toEqual(Object.keys(readers));
  });

  it.each(accessTable)('gives %s for a send made without scopes: %s', async (reader, expected) => {
    const send = buildOwnSend({ isReadableById: true });

    expect(await resultOf(reader, send.id, send)).toBe(expected);
  });

  it.each(accessTable)(
    'gives %s the described result for a send made with scopes',
    async (reader, _open, expected) => {
      const send = buildOwnSend({ isReadableById: false });

      expect(await resultOf(reader, send.id, send)).toBe(expected);
    },
  );

  it.each(accessTable)(
    'gives %s the described result for an unknown id',
    async (reader, _open, _scoped, expected) => {
      expect(await resultOf(reader, newSendId(organizationId))).toBe(expected);
    },
  );

  it.each(['', 'nonsense', '../sends', 'snd_', '__proto__'])(
    'finds no send with the id %j, and reads nothing for it',
    async (id) => {
      const calls: unknown[] = [];
      const { table } = openMemoryTable({
        intercept: async (call, run) => {
          calls.push(call);
          return run();
        },
      });
      const reading = { table, now: () => now };

      const error = await serviceErrorOf(() =>
        readTimeline(presenting(undefined), sendIdSchema.safeParse(id).data, reading),
      );

      expect(calls).toEqual([]);
      expect(error.code).toBe('send_not_found');
    },
  );

  it('finds no send of a deleted organization', async () => {
    const send = buildOwnSend({ isReadableById: true });

    const error = await serviceErrorOf(() => read(send.id, undefined, { send, isDeleted: true }));

    expect(error.code).toBe('send_not_found');
  });

  it('gives a send to the key without scopes that made it even where keyless reading is off', async () => {
    const { text, apiKey } = buildApiKey({ organizationId });
    const send = buildOwnSend({ isReadableById: true, apiKeyId: apiKey.id });
    const world = { send, apiKeys: [apiKey], keylessReading: false };

    expect((await read(send.id, text, world)).send).toEqual(send);
  });

  it('gives no send by its id alone where keyless reading is off, to another key without scopes or to no key', async () => {
    const { text, apiKey } = buildApiKey({ organizationId });
    const send = buildOwnSend({ isReadableById: true });
    const world = { send, apiKeys: [apiKey], keylessReading: false };

    const refusals = await Promise.all(
      [undefined, text].map((credential) => serviceErrorOf(() => read(send.id, credential, world))),
    );

    expect(refusals.map(({ code }) => code)).toEqual(['invalid_api_key', 'missing_scope']);
  });

  it("doesn't give a key with scopes the send it made before it had any", async () => {
    const { text, apiKey } = buildApiKey({ organizationId, scopes: ['send_email'] });
    const send = buildOwnSend({ isReadableById: true, apiKeyId: apiKey.id });

    const error = await serviceErrorOf(() => read(send.id, text, { send, apiKeys: [apiKey] }));

    expect(error.code).toBe('missing_scope');
  });

  it("doesn't accept a feedback id, which recipients see, as a send id", async () => {
    const send = buildOwnSend();

    const error = await serviceErrorOf(() => read(send.feedbackId, undefined, { send }));

    expect(error.code).toBe('send_not_found');
  });
});
