import { describe, expect, it } from 'vitest';
import { newSessionId, type SessionId } from '#shared/tokens/resource-id';
import { endOtherSessions } from '../../../functions/end-other-sessions/end-other-sessions.ts';
import { endSession } from '../../../functions/end-session/end-session.ts';
import { endpoint } from '../../../functions/list-sessions/list-sessions.ts';
import { signOutPerson } from '../../../functions/sign-out-person/sign-out-person.ts';
import { openPeople } from '../../support/people.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const email = 'carol@example.com';
const minuteMs = 60_000;

/** Carol, who is signed in twice, and somebody else. */
async function openWithSessions() {
  const people = await openPeople();
  const carol = await people.invite(email);
  await people.invite('dave@example.com');
  const first = await people.signIn(email);
  people.clock.at += minuteMs;
  const second = await people.signIn(email);
  const idOf = async (text: string) => (await people.admit(text)).session?.id;
  const end = async (credential: string | undefined, id: SessionId | undefined) =>
    endSession(
      {
        credential,
        readParts: () => ({ path: { id: id ?? newSessionId(people.organizationId) } }),
      },
      people,
    );
  const codeFor = async (text: string) => (await serviceErrorOf(() => people.admit(text))).code;
  const audited = async (action: string) =>
    (await people.audit()).filter((entry) => entry.action === action);
  return { ...people, carol, first, second, idOf, end, codeFor, audited };
}

describe('a list of sessions', () => {
  it('has those of the person, latest first, and marks the one that asks', async () => {
    const { first, admit, idOf, second, signIn, clock, ...people } = await openWithSessions();
    await signIn('dave@example.com');
    const surroundings = {
      ...recordLog(),
      source: { sourceIp: '192.0.2.1', forwardedFor: undefined },
    };
    const { session, ...caller } = await admit(first);
    if (session === undefined) throw new Error('There is no session');

    const { data } = await endpoint.run(
      { caller: { ...caller, session }, ...surroundings },
      { ...people, limitsOfDeployment: {} },
    );

    const begun = { begunWith: 'mail', startedAt: clock.at, lastUsedAt: clock.at };
    const earlier = clock.at - minuteMs;
    expect(data).toMatchObject([
      { id: await idOf(second), isCurrent: false, ...begun },
      { id: await idOf(first), isCurrent: true, startedAt: earlier, lastUsedAt: earlier },
    ]);
    expect(JSON.stringify(data)).not.toContain(session.secretHash);
  });
});

describe('endSession', () => {
  it('signs out another browser of the same person, and the audit says which and from where', async () => {
    const { first, second, idOf, end, codeFor, admit, audited } = await openWithSessions();
    const [ended, current] = [await idOf(first), await idOf(second)];

    expect(await end(second, ended)).toEqual({ isCurrent: false });

    expect(await codeFor(first)).toBe('invalid_api_key');
    await expect(admit(second)).resolves.toBeDefined();
    expect(await audited('session.ended')).toMatchObject([
      { session: current, before: { sessions: [ended] } },
    ]);
  });

  it('signs out the one that asks', async () => {
    const { first, second, idOf, end, codeFor, admit } = await openWithSessions();

    expect(await end(first, await idOf(first))).toEqual({ isCurrent: true });

    expect(await codeFor(first)).toBe('invalid_api_key');
    await expect(admit(second)).resolves.toBeDefined();
  });

  it('knows no session of anybody else, nor one that has ended', async () => {
    const { first, second, idOf, end, signIn, admit, ...people } = await openWithSessions();
    const daves = await signIn('dave@example.com');
    const ended = await idOf(first);
    await end(first, ended);
    const before = people.items();

    for (const id of [await idOf(daves), ended, newSessionId(people.organizationId)]) {
      const error = await serviceErrorOf(() => end(second, id));
      expect(error.code).toBe('session_not_found');
    }

    expect(people.items()).toEqual(before);
    await expect(admit(daves)).resolves.toBeDefined();
  });

  it('takes no key, and no session that has ended', async () => {
    const { first, second, idOf, end, credential } = await openWithSessions();
    const id = await idOf(second);
    await end(first, await idOf(first));

    for (const other of [undefined, credential, first]) {
      expect((await serviceErrorOf(() => end(other, id))).code).toBe('invalid_api_key');
    }
  });
});

describe('endOtherSessions', () => {
  it('leaves the one that asks', async () => {
    const people = await openWithSessions();
    const { first, second, idOf, codeFor, admit } = people;
    const ended = await idOf(first);

    await endOtherSessions(second, people);
    await endOtherSessions(second, people);

    expect(await codeFor(first)).toBe('invalid_api_key');
    await expect(admit(second)).resolves.toBeDefined();
    const entries = await people.audited('session.ended');
    expect(entries).toMatchObject([{ before: { sessions: [ended] } }]);
  });
});

describe('signOutPerson', () => {
  it('ends all sessions of somebody, who may sign in again', async () => {
    const people = await openWithSessions();
    const { first, second, codeFor, carol, caller, signIn } = people;

    await signOutPerson({ caller, path: carol }, people);
    await signOutPerson({ caller, path: carol }, people);

    expect([await codeFor(first), await codeFor(second)]).toEqual(Array(2).fill('invalid_api_key'));
    const entries = await people.audited('person.signed_out');
    expect(entries).toMatchObject([{ target: carol.id }]);
    expect(entries[0]?.before?.['sessions']).toHaveLength(2);
    expect(await signIn(email)).toMatch(/^ess_/);
  });
});
