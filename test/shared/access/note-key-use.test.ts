import { describe, expect, it } from 'vitest';
import { admitCaller } from '#shared/access/admit-caller';
import { noteKeyUse } from '#shared/access/note-key-use';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { deleteSession } from '../../../functions/delete-session/delete-session.ts';
import { openAccount } from '../../support/account.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { presenting } from '../../support/presenting.ts';

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

  it('happens once an hour for each session, and drops those that ended', async () => {
    const account = await openAccount();
    const { clock, storedKey, callsOf } = account;
    const start = async () => (await createSession({ key: account.credential }, account)).text;
    const [first, second] = [await start(), await start()];
    const note = (text: string) => admitCaller(presenting(text), account);
    const usedAt = async () => Object.values((await storedKey()).sessionsUsedAt ?? {});

    await note(first);
    expect(await callsOf(() => note(first))).not.toContain('UpdateItem');
    clock.at += hour / 2;
    await note(second);
    expect(await usedAt()).toEqual([clock.at - hour / 2, clock.at]);

    await deleteSession(first, account);
    clock.at += hour;
    await note(second);
    expect(await usedAt()).toEqual([clock.at]);
    expect((await storedKey()).lastUsedAt).toBe(clock.at);
  });

  it('keeps the use of a session that another request noted first', async () => {
    const account = await openAccount();
    const sessions = [1, 2].map(() => createSession({ key: account.credential }, account));
    const [first, second] = (await Promise.all(sessions)).map(({ text }) => presenting(text));
    account.beforeNextWrite(() => admitCaller(second ?? presenting(''), account));

    await admitCaller(first ?? presenting(''), account);
    const afterRace = (await account.storedKey()).sessionsUsedAt;
    await admitCaller(first ?? presenting(''), account);

    expect(Object.keys(afterRace ?? {})).toHaveLength(1);
    const noted = (await account.storedKey()).sessionsUsedAt;
    expect(noted).toMatchObject(afterRace ?? {});
    expect(Object.keys(noted ?? {})).toHaveLength(2);
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
