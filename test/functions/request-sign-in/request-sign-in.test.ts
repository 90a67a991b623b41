import { describe, expect, it } from 'vitest';
import { maxSignInEmailsPerDay } from '#shared/notices/people-notice';
import { removePerson } from '../../../functions/remove-person/remove-person.ts';
import { accountNow } from '../../support/account.ts';
import { openPeople } from '../../support/people.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const minuteMs = 60_000;

/** Carol, whom an organization invited. */
async function openWithCarol() {
  const people = await openPeople();
  const carol = await people.invite('carol@example.com', 'support');
  return { ...people, carol };
}

describe('requestSignIn', () => {
  it('files a link to whoever is invited, which signs them in once, as their role', async () => {
    const { askForLink, mails, follow, admit } = await openWithCarol();

    const link = await askForLink('carol@example.com');
    const { text: session } = await follow(link);

    expect(mails()).toMatchObject([{ to: 'carol@example.com' }]);
    const { apiKey, actor } = await admit(session);
    expect(apiKey).toMatchObject({ person: { role: 'support' } });
    expect(apiKey.scopes).toContain('suppressions_manage');
    expect(apiKey.scopes).not.toContain('manage_organization');
    expect(actor).toMatchObject({ key: apiKey.id, session: expect.stringMatching(/^ses_/) });
    expect((await serviceErrorOf(() => follow(link))).code).toBe('link_not_found');
  });

  it('stores nothing for an address that nobody invited', async () => {
    const { ask, items } = await openWithCarol();
    const before = items();

    await ask('mallory@example.com');

    expect(items()).toEqual(before);
  });

  it('stores nothing that opens the link, nor the browser that asked', async () => {
    const { askForLink, items } = await openWithCarol();

    const link = await askForLink('carol@example.com', 'a secret of the browser');

    const stored = JSON.stringify(items());
    expect(stored).not.toContain(link.split('_')[2]?.slice(0, 32));
    expect(stored).not.toContain('a secret of the browser');
  });

  it.each([
    ['another browser', 'another one'],
    ['a browser without the cookie', ''],
  ])('makes a link that does not open in %s, and stays unused', async (_, browser) => {
    const { askForLink, follow } = await openWithCarol();
    const link = await askForLink('carol@example.com');

    expect((await serviceErrorOf(() => follow(link, browser))).code).toBe('other_browser');
    expect(await follow(link)).toHaveProperty('text');
  });

  it('ends the session that the browser had, with its copies, when it signs in again', async () => {
    const { askForLink, follow, signIn, admit } = await openWithCarol();
    const [old, elsewhere] = [await signIn('carol@example.com'), await signIn('carol@example.com')];

    const { text } = await follow(await askForLink('carol@example.com'), 'its browser', old);

    expect((await serviceErrorOf(() => admit(old))).code).toBe('invalid_api_key');
    expect(await admit(text)).toHaveProperty('session');
    expect(await admit(elsewhere)).toHaveProperty('session');
  });

  it('is told to nobody but the log once a person has had enough links for a day', async () => {
    const { ask, mails, clock } = await openWithCarol();
    for (let asked = 0; asked <= maxSignInEmailsPerDay; asked += 1) {
      clock.at += 1;
      await ask('carol@example.com');
    }

    expect(mails()).toHaveLength(maxSignInEmailsPerDay);
  });

  it('makes a link for ten minutes', async () => {
    const { askForLink, follow, clock } = await openWithCarol();
    const link = await askForLink('carol@example.com');
    clock.at = accountNow + 10 * minuteMs;

    expect((await serviceErrorOf(() => follow(link))).code).toBe('link_not_found');
  });

  it('signs nobody out, however often strangers ask', async () => {
    const { ask, signIn, admit } = await openWithCarol();
    const session = await signIn('carol@example.com');

    for (let asked = 0; asked < 20; asked += 1) await ask('carol@example.com', `stranger ${asked}`);

    expect(await admit(session)).toHaveProperty('actor');
  });

  it('files nothing once they are removed, and their sessions end at once', async () => {
    const { carol, caller, askForLink, signIn, admit, ...people } = await openWithCarol();
    const session = await signIn('carol@example.com');

    await removePerson({ caller, path: { id: carol.id } }, people);

    expect((await serviceErrorOf(() => admit(session))).code).toBe('invalid_api_key');
    expect(await askForLink('carol@example.com')).toBe('');
  });

  it('leaves an unused link, and no email, when the email cannot be filed', async () => {
    const { ask, mails, lines, beforeNextWrite, storedKey, carol, signIn } = await openWithCarol();
    const pass = async () => {};
    // The link, its audit entry, then the email.
    beforeNextWrite(pass, pass, async () => {
      throw new Error('The table is away');
    });

    await ask('carol@example.com');

    expect(mails()).toEqual([]);
    expect(JSON.stringify(lines)).toContain('sign-in link not filed');
    expect(JSON.stringify(lines)).not.toContain('carol@');
    expect((await storedKey(carol.id)).signIns).toMatchObject([{ kind: 'link' }]);
    expect(await signIn('carol@example.com')).toMatch(/^ess_/);
  });
});
