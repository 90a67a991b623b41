import { describe, expect, it } from 'vitest';
import { noteKeyUse } from '#shared/access/note-key-use';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { unexpected } from '../../support/unexpected.ts';

const now = 1_700_000_000_000;
const hour = 3_600_000;

describe("recording a key's use", () => {
  it.each([
    ['was never noted', {}],
    ['was noted an hour ago', { lastUsedAt: now - hour }],
  ])('happens when it %s', async (_what, settings) => {
    const { apiKey } = buildApiKey(settings);
    const notes: unknown[] = [];

    await noteKeyUse(apiKey, now, { noteUse: async (...note) => void notes.push(note) });

    expect(notes).toEqual([[apiKey.id, now, now - hour]]);
  });

  it("isn't repeated within the hour", async () => {
    const { apiKey } = buildApiKey({ lastUsedAt: now - hour + 1 });

    await noteKeyUse(apiKey, now, { noteUse: unexpected('noteUse') });
  });

  it("fails no request when it can't be stored, and logs that", async () => {
    const output = captureOutput();
    const { text, apiKey } = buildApiKey();
    const noteUse = async () => {
      throw new Error('no table');
    };

    await expect(noteKeyUse(apiKey, now, { noteUse })).resolves.toBeUndefined();

    expect(output.text()).toContain(apiKey.id);
    expect(output.text()).not.toContain(text.split('_').at(-1));
  });
});
