import { describe, expect, it } from 'vitest';
import { readOrganizationsOf } from '#shared/access/people-store';
import { confirmedUntil, sessionMs } from '#shared/access/sign-in';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { createSession } from '../../../functions/create-session/create-session.ts';
import { deleteSession } from '../../../functions/delete-session/delete-session.ts';
import { removePerson } from '../../../functions/remove-person/remove-person.ts';
import { switchOrganization } from '../../../functions/switch-organization/switch-organization.ts';
import { openPeople } from '../../support/people.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const email = 'carol@example.com';
const hourMs = 3_600_000;

/** Carol, whom two organizations invited, and who is signed in to the first. */
async function openWithTwo() {
  const people = await openPeople();
  const carol = await people.invite(email);
  const session = await people.signIn(email);
  const elsewhere = await people.inviteElsewhere(email);
  const change = (credential: string | undefined, organizationId: OrganizationId) =>
    switchOrganization({ credential, readParts: () => ({ body: { organizationId } }) }, people);
  return { ...people, carol, elsewhere, session, change };
}

describe('switchOrganization', () => {
  it('goes on in the other organization with the role there, and ends the old session', async () => {
    const { change, session, elsewhere, admit } = await openWithTwo();

    const begun = await change(session, elsewhere.organization.id);

    const there = await admit(begun?.text ?? '');
    expect(there.organizationId).toBe(elsewhere.organization.id);
    expect(there.apiKey.person).toEqual({ email, role: 'viewer' });
    expect((await serviceErrorOf(() => admit(session))).code).toBe('invalid_api_key');
  });

  it('ends when the old session would have, with what that had shown, and a new id', async () => {
    const { change, session, elsewhere, admit, clock } = await openWithTwo();
    const before = (await admit(session)).session;
    clock.at += hourMs;

    const begun = await change(session, elsewhere.organization.id);

    const after = (await admit(begun?.text ?? '')).session;
    expect(after).toEqual({
      ...before,
      id: expect.stringMatching(/^ses_/),
      secretHash: expect.any(String),
    });
    expect(after?.id).not.toBe(before?.id);
    expect(begun?.expiresAt).toBe(clock.at - hourMs + sessionMs);
    expect(confirmedUntil(after ?? { kind: 'link', secretHash: '', expiresAt: 0 })).toBeLessThan(
      clock.at,
    );
  });

  it('is in both audits, and tells neither organization of the other', async () => {
    const { change, session, elsewhere, audit, organizationId } = await openWithTwo();

    await change(session, elsewhere.organization.id);

    const ended = (await audit()).find(({ action }) => action === 'session.ended');
    const started = (await elsewhere.audit()).find(({ action }) => action === 'session.started');
    expect([ended, started]).toMatchObject([
      { action: 'session.ended', isPerson: true, session: expect.any(String) },
      { action: 'session.started', isPerson: true, session: expect.any(String) },
    ]);
    const part = (id: OrganizationId) => id.slice('org_'.length);
    expect(JSON.stringify(ended)).not.toContain(part(elsewhere.organization.id));
    expect(JSON.stringify(started)).not.toContain(part(organizationId));
  });

  it('accepts an invitation, as a link does', async () => {
    const { change, session, elsewhere, admit, storedKey } = await openWithTwo();
    const before = await storedKey(elsewhere.person.id);

    await admit((await change(session, elsewhere.organization.id))?.text ?? '');

    expect(before.lastUsedAt).toBeUndefined();
    expect((await storedKey(elsewhere.person.id)).lastUsedAt).toBeDefined();
  });

  it('changes nothing in the organization where one is', async () => {
    const { change, session, organizationId, items } = await openWithTwo();
    const before = items();

    expect(await change(session, organizationId)).toBeUndefined();

    expect(items()).toEqual(before);
  });

  it.each([
    ['that nobody has', async () => newOrganizationId()],
    [
      'that has other people',
      async ({ inviteElsewhere }: Awaited<ReturnType<typeof openWithTwo>>) =>
        (await inviteElsewhere('mallory@example.com')).organization.id,
    ],
    [
      'that has removed them',
      async ({ elsewhere, ...people }: Awaited<ReturnType<typeof openWithTwo>>) => {
        await removePerson({ caller: elsewhere.caller, path: elsewhere.person }, people);
        return elsewhere.organization.id;
      },
    ],
    [
      'whose invitation is over',
      async ({ inviteElsewhere, clock }: Awaited<ReturnType<typeof openWithTwo>>) => {
        clock.at -= 7 * 24 * hourMs;
        const { organization } = await inviteElsewhere(email);
        clock.at += 7 * 24 * hourMs;
        return organization.id;
      },
    ],
  ])('refuses an organization %s, and keeps the session', async (_, idIn) => {
    const world = await openWithTwo();
    const id = await idIn(world);
    const before = world.items();

    const error = await serviceErrorOf(() => world.change(world.session, id));

    expect(error.code).toBe('organization_not_found');
    expect(world.items()).toEqual(before);
    await expect(world.admit(world.session)).resolves.toBeDefined();
  });

  it('refuses a session of an API key, and everything that is no session', async () => {
    const { change, credential, elsewhere, askForLink, ...account } = await openWithTwo();
    const { text } = await createSession({ key: credential }, account);
    const { id } = elsewhere.organization;

    expect((await serviceErrorOf(() => change(text, id))).code).toBe('organization_not_found');
    for (const other of [undefined, '', credential, await askForLink(email)]) {
      expect((await serviceErrorOf(() => change(other, id))).code).toBe('invalid_api_key');
    }
  });

  it.each([
    [
      'signed out',
      (people: Awaited<ReturnType<typeof openWithTwo>>) => deleteSession(people.session, people),
    ],
    [
      'removed',
      ({ caller, carol, ...people }: Awaited<ReturnType<typeof openWithTwo>>) =>
        removePerson({ caller, path: carol }, people),
    ],
  ])('leaves no session behind for somebody who is %s at the same time', async (_, end) => {
    const world = await openWithTwo();
    world.beforeNextWrite(() => end(world));

    const error = await serviceErrorOf(() =>
      world.change(world.session, world.elsewhere.organization.id),
    );

    expect(error.code).toBe('invalid_api_key');
    expect((await world.storedKey(world.elsewhere.person.id)).signIns).toEqual([]);
  });

  it('makes one session of one, if two requests switch at once or the old cookie is replayed', async () => {
    const { change, session, elsewhere, storedKey } = await openWithTwo();
    const { id } = elsewhere.organization;

    const outcomes = await Promise.allSettled([change(session, id), change(session, id)]);
    const replayed = await serviceErrorOf(() => change(session, id));

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(replayed.code).toBe('invalid_api_key');
    expect((await storedKey(elsewhere.person.id)).signIns).toHaveLength(1);
  });

  it('loses no session if it dies in between', async () => {
    const { change, session, elsewhere, admit, beforeNextWrite } = await openWithTwo();
    const dies = async () => {
      throw new Error('died');
    };
    // New session, its audit entry, end of the old one.
    beforeNextWrite(
      async () => {},
      async () => {},
      dies,
    );

    await expect(change(session, elsewhere.organization.id)).rejects.toThrow('died');

    await expect(admit(session)).resolves.toBeDefined();
    await expect(change(session, elsewhere.organization.id)).resolves.toBeDefined();
  });
});

describe('readOrganizationsOf', () => {
  it('names those where somebody may sign in now', async () => {
    const { organization, elsewhere, table, now, inviteElsewhere, ...people } = await openWithTwo();
    const left = await inviteElsewhere(email);
    await removePerson({ caller: left.caller, path: left.person }, { table, now });
    await inviteElsewhere('mallory@example.com');
    const read = async () =>
      (await readOrganizationsOf(table, email, {}, now())).toSorted((one, other) =>
        one.role.localeCompare(other.role),
      );

    expect(await read()).toEqual([
      { id: organization.id, name: organization.name, role: 'support' },
      { id: elsewhere.organization.id, name: 'Other Ltd', role: 'viewer' },
    ]);
    await people.remove();
    expect(await read()).toHaveLength(1);
    expect(await readOrganizationsOf(table, 'nobody@example.com', {}, now())).toEqual([]);
  });
});
