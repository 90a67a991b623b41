import { describe, expect, it } from 'vitest';
import { revokeApiKey } from '#shared/access/manage-api-keys';
import { maxPeople } from '#shared/access/person';
import { maxInvitationsPerDay } from '#shared/notices/people-notice';
import { endpoint } from '../../../functions/invite-person/invite-person.ts';
import { removePerson } from '../../../functions/remove-person/remove-person.ts';
import { changeRole } from '../../../functions/update-person/update-person.ts';
import { accountNow } from '../../support/account.ts';
import { openPeople } from '../../support/people.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const dayMs = 86_400_000;

describe('invitePerson', () => {
  it('stores the person, the audit entry and the invitation, none of them with a secret', async () => {
    const people = await openPeople();

    const person = await people.invite('Carol@Example.com', 'support');

    expect(person).toMatchObject({ person: { email: 'carol@example.com', role: 'support' } });
    expect(await people.storedKey(person.id)).toEqual(person);
    const after = { role: 'support' };
    expect(await people.audit()).toMatchObject([
      { actor: people.apiKey.id, action: 'person.invited', target: person.id, after },
    ]);
    expect(people.notices()).toMatchObject([{ cause: 'invitation', to: 'carol@example.com' }]);
  });

  it('refuses an address that is in the organization, however it is written, and keeps its role', async () => {
    const people = await openPeople();
    const person = await people.invite('carol@example.com', 'viewer');
    const before = people.items();

    const error = await serviceErrorOf(() => people.invite('CAROL@example.com', 'admin'));

    expect(error.code).toBe('person_exists');
    expect(people.items()).toEqual(before);
    expect(await people.storedKey(person.id)).toMatchObject({ person: { role: 'viewer' } });
  });

  it('makes one person of two invitations at once', async () => {
    const people = await openPeople();

    const outcomes = await Promise.allSettled([
      people.invite('carol@example.com', 'viewer'),
      people.invite('carol@example.com', 'admin'),
    ]);

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(people.notices()).toHaveLength(1);
  });

  it('invites somebody again who was removed, without the sessions that they had', async () => {
    const people = await openPeople();
    const { id } = await people.invite('carol@example.com', 'admin');
    const session = await people.signIn('carol@example.com');
    await removePerson({ caller: people.caller, path: { id } }, people);
    people.clock.at += dayMs;

    const again = await people.invite('carol@example.com', 'viewer');

    expect(again).toMatchObject({ id, person: { role: 'viewer' } });
    expect(again).not.toHaveProperty('revokedAt');
    expect((await serviceErrorOf(() => people.admit(session))).code).toBe('invalid_api_key');
  });

  it(`refuses one more than ${maxPeople} people`, async () => {
    const people = await openPeople();
    for (let number = 0; number < maxPeople; number += 1) {
      await people.invite(`p${number}@example.com`, 'viewer');
    }

    const error = await serviceErrorOf(() => people.invite('carol@example.com'));

    expect(error.code).toBe('too_many_people');
  });

  it(`invites ${maxInvitationsPerDay} a day, however many of them are removed again`, async () => {
    const people = await openPeople();
    for (let number = 0; number < maxInvitationsPerDay; number += 1) {
      const { id } = await people.invite(`p${number}@example.com`, 'viewer');
      await removePerson({ caller: people.caller, path: { id } }, people);
    }

    const error = await serviceErrorOf(() => people.invite('carol@example.com'));
    people.clock.at += dayMs;

    expect(error.code).toBe('rate_limited');
    expect(await people.invite('carol@example.com')).toHaveProperty('person');
  });

  it.each(['owner', 'constructor', ''])('takes no role %o', (role) => {
    expect(endpoint.body.safeParse({ email: 'carol@example.com', role }).success).toBe(false);
  });
});

describe('an invitation', () => {
  it('signs in until it is seven days old', async () => {
    const people = await openPeople();
    await people.invite('carol@example.com');
    people.clock.at = accountNow + 7 * dayMs - 1;
    const link = await people.askForLink('carol@example.com');
    people.clock.at += 1;

    expect((await serviceErrorOf(() => people.follow(link))).code).toBe('link_not_found');
    expect(await people.askForLink('carol@example.com')).toBe('');
  });

  it('of somebody who came has no end', async () => {
    const people = await openPeople();
    await people.invite('carol@example.com');
    await people.signIn('carol@example.com');
    people.clock.at = accountNow + 30 * dayMs;

    expect(await people.signIn('carol@example.com')).toMatch(/^ess_/);
  });
});

describe('removing somebody', () => {
  it('can be repeated, and says who was removed once', async () => {
    const people = await openPeople();
    const path = { id: (await people.invite('carol@example.com')).id };
    const remove = () => removePerson({ caller: people.caller, path }, people);

    await remove();
    await remove();

    const entries = (await people.audit()).filter(({ action }) => action === 'person.removed');
    expect(entries).toHaveLength(1);
    const change = () => changeRole({ caller: people.caller, path, role: 'admin' }, people);
    expect((await serviceErrorOf(change)).code).toBe('person_not_found');
  });

  it('does not leave nobody who can manage, if an invited admin comes at the same moment and the key goes', async () => {
    const people = await openPeople();
    const { id } = await people.invite('ann@example.com', 'admin');
    const { caller } = people;
    people.beforeNextWrite(async () => {
      await people.signIn('ann@example.com');
      const path = { id: people.apiKey.id };
      await revokeApiKey({ caller, path, query: {} }, people);
    });

    const remove = () => removePerson({ caller, path: { id } }, people);

    expect((await serviceErrorOf(remove)).code).toBe('last_manager_key');
    expect(await people.storedKey(id)).not.toHaveProperty('revokedAt');
  });
});

describe('the last who can manage', () => {
  it('is a key while an invited admin has not come, and can be one who has', async () => {
    const people = await openPeople();
    const { id } = await people.invite('ann@example.com', 'admin');
    const revoke = () =>
      revokeApiKey({ caller: people.caller, path: { id: people.apiKey.id }, query: {} }, people);

    expect((await serviceErrorOf(revoke)).code).toBe('last_manager_key');
    await people.signIn('ann@example.com');
    await revoke();

    const path = { id };
    const { caller } = people;
    const demote = () => changeRole({ caller, path, role: 'viewer' }, people);
    const remove = () => removePerson({ caller, path }, people);
    expect((await serviceErrorOf(demote)).code).toBe('last_manager_key');
    expect((await serviceErrorOf(remove)).code).toBe('last_manager_key');
  });
});
