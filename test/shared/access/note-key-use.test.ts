import { describe, expect, it } from 'vitest';
import { noteKeyUse } from '#shared/access/note-key-use';
import { openAccount } from '../../support/account.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const now = 1_700_000_000_000;
const hour = 3_600_000;

describe("recording a key's use", () => {
  it.each([
    ['was never noted', {}],
    ['was noted an hour ago', { lastUsedAt: now - hour }],
  ])('happens when it %s', async (_what, settings) => {
    const { table, apiKey, storedKey } = await openAccount({}, settings);

    await noteKeyUse(table, apiKey, now);

    expect((await storedKey()).lastUsedAt).toBe(now);
  });

  it("isn't repeated within the hour", async () => {
    const { table, apiKey, callsOf } = await openAccount({}, { lastUsedAt: now - hour + 1 });

    expect(await callsOf(() => noteKeyUse(table, apiKey, now))).toEqual([]);
  });

  it("fails no request when it can't be stored, and logs that", async () => {
    const output = captureOutput();
    const { text, apiKey } = buildApiKey();
    const { table } = openMemoryTable({
      intercept: async () => {
        throw new Error('no table');
      },
    });

    await expect(noteKeyUse(table, apiKey, now)).resolves.toBeUndefined();

    expect(output.text()).toContain(apiKey.id);
    expect(output.text()).not.toContain(text.split('_').at(-1));
  });
});
