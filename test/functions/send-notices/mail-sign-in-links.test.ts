import { describe, expect, it } from 'vitest';
import { endReplaced } from '#shared/access/change-sign-ins';
import { readSessionText } from '#shared/access/credential-text';
import { storePerson } from '#shared/access/people-store';
import { newPerson } from '#shared/access/person';
import { putOrganization } from '#shared/organizations/organization-store';
import { mailedLinkKey } from '#shared/table/keys';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { removePerson } from '../../../functions/remove-person/remove-person.ts';
import { accountNow } from '../../support/account.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openPeople } from '../../support/people.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const minuteMs = 60_000;

/** Carol, whom an organization invited. */
async function openWithCarol() {
  const people = await openPeople();
  const carol = await people.invite('carol@example.com', 'support');
  const linkItems = () =>
    people.items().filter(({ pk }) => `${pk}`.startsWith(mailedLinkKey('').pk));
  return { ...people, carol, linkItems };
}

describe('mailSignInLinks', () => {
  it('mails a link to whoever is invited, which signs them in once, as their role', async () => {
    const { askForLink, mails, follow, admit } = await openWithCarol();

    const link = await askForLink('carol@example.com');
    const { text: session } = await follow(link);

    expect(mails()).toMatchObject([{ to: [{ identity: 'carol@example.com' }] }]);
    const { apiKey, actor } = await admit(session);
    expect(apiKey).toMatchObject({ person: { role: 'support' } });
    expect(apiKey.scopes).toContain('suppressions_manage');
    expect(apiKey.scopes).not.toContain('manage_organization');
    expect(actor).toMatchObject({ key: apiKey.id, session: expect.stringMatching(/^ses_/) });
    expect((await serviceErrorOf(() => follow(link))).code).toBe('link_not_found');
  });

  it('mails nothing to an address that nobody invited, and forgets that somebody asked', async () => {
    const { ask, mail, emails, items } = await openWithCarol();
    const before = items();
    await ask('mallory@example.com');
    expect(items()).toHaveLength(before.length + 1);

    await mail();

    expect(emails).toEqual([]);
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

  it('ends the session that the browser had in another organization, too', async () => {
    const { inviteElsewhere, signIn, askForLink, follow, admit, ...people } = await openWithCarol();
    const old = await signIn('carol@example.com');
    await inviteElsewhere('dave@example.com');

    const begun = await follow(await askForLink('dave@example.com'), 'its browser', old);
    await endReplaced(readSessionText(old), begun, people);

    expect((await serviceErrorOf(() => admit(old))).code).toBe('invalid_api_key');
    expect(await admit(begun.text)).toHaveProperty('session');
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

  it('mails nothing once they are removed, and their sessions end at once', async () => {
    const { carol, caller, askForLink, signIn, admit, ...people } = await openWithCarol();
    const session = await signIn('carol@example.com');

    await removePerson({ caller, path: { id: carol.id } }, people);

    expect((await serviceErrorOf(() => admit(session))).code).toBe('invalid_api_key');
    expect(await askForLink('carol@example.com')).toBe('');
  });

  it('ends a link that was mailed before they were removed', async () => {
    const { carol, caller, askForLink, follow, ...people } = await openWithCarol();
    const link = await askForLink('carol@example.com');

    await removePerson({ caller, path: { id: carol.id } }, people);

    expect((await serviceErrorOf(() => follow(link))).code).toBe('link_not_found');
  });

  it('keeps every link, however many strangers ask for', async () => {
    const { ask, askForLink, mail, follow } = await openWithCarol();
    const link = await askForLink('carol@example.com');

    for (let asked = 0; asked < 20; asked += 1) await ask('carol@example.com', `stranger ${asked}`);
    await mail();

    expect(await follow(link)).toHaveProperty('text');
  });

  it('signs one of two in who follow a link at once', async () => {
    const { askForLink, follow } = await openWithCarol();
    const link = await askForLink('carol@example.com');

    const both = await Promise.allSettled([follow(link), follow(link)]);

    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('signs in where they were last, and nowhere else because of an invitation', async () => {
    const { organizationId, table, signIn, askForLink, follow, admit, clock } =
      await openWithCarol();
    const other = buildOrganization({ id: newOrganizationId() });
    await putOrganization(table, other);
    await signIn('carol@example.com');
    clock.at += minuteMs;
    const invited = newPerson(
      { organizationId: other.id },
      { identity: 'carol@example.com', role: 'admin' },
      clock.at,
    );
    await storePerson(table, invited, []);

    const { text } = await follow(await askForLink('carol@example.com'));

    expect((await admit(text)).organizationId).toBe(organizationId);
  });

  it('tries the next organization when the last can’t send an email', async () => {
    const { table, signIn, askForLink, change, follow, admit, clock } = await openWithCarol();
    const other = buildOrganization({ id: newOrganizationId() });
    await putOrganization(table, other);
    const person = { identity: 'carol@example.com', role: 'viewer' } as const;
    await storePerson(table, newPerson({ organizationId: other.id }, person, clock.at), []);
    await signIn('carol@example.com');
    await change({ paused: true });

    const { text } = await follow(await askForLink('carol@example.com'));

    expect((await admit(text)).organizationId).toBe(other.id);
  });

  it('waits, unmade, while none of their organizations can send, and is forgotten after ten minutes', async () => {
    const { ask, mail, change, linkItems, emails, clock } = await openWithCarol();
    await change({ paused: true });
    await ask('carol@example.com');

    await mail();
    expect(linkItems()).toMatchObject([{ gsi1pk: expect.any(String) }]);
    clock.at += 10 * minuteMs;
    await mail();

    expect(linkItems()).toEqual([]);
    expect(emails).toEqual([]);
  });

  // The link with its audit entry, claim, commit, and the end of its wait.
  it.each([1, 2, 3, 4])('mails one link though a run dies at its write %i', async (dying) => {
    const { ask, mail, mails, follow, beforeNextWrite, audit, lines, clock } =
      await openWithCarol();
    await ask('carol@example.com');
    const pass = async () => {};
    beforeNextWrite(...Array.from({ length: dying - 1 }, () => pass), async () => {
      throw new Error('The table is away');
    });

    for (let run = 0; run < 4; run += 1) {
      await mail();
      clock.at += minuteMs;
    }

    expect(mails()).toHaveLength(1);
    expect(await follow(mails()[0]?.link ?? '')).toHaveProperty('text');
    const made = (await audit()).filter(({ action }) => action === 'sign_in_link.created');
    expect(made).toMatchObject([{ actor: 'anybody' }]);
    expect(JSON.stringify(lines)).not.toContain('carol@');
  });

  it('mails one link in two runs at once', async () => {
    const { ask, mail, mails } = await openWithCarol();
    await ask('carol@example.com');

    await Promise.all([mail(), mail()]);
    await mail();

    expect(mails()).toHaveLength(1);
  });
});
