import { describe, expect, it, onTestFinished } from 'vitest';
import { newSecrets, startSecrets } from '../../../infra/local/secrets.ts';
import type { SecretVersion, VersionedSecret } from '../../../infra/manage/aws/secrets.ts';
import { nextStep, spreadMs } from '../../../infra/manage/signing-key-rotation.ts';
import { findTarget } from '../../../infra/manage/target.ts';
import { fakeSurroundings, manage, twinFile } from '../../support/manage-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const minute = 60_000;
const first: SecretVersion = {
  text: JSON.stringify({ current: 'k1', k1: 'one' }),
  versionId: 'made-by-the-deployment',
  createdAt: 0,
};

const afterStep = (version: SecretVersion, now: number): SecretVersion => {
  const step = nextStep(version, 'new', now);
  if (step.step === 'wait') throw new Error('there is nothing to write yet');
  return { text: step.text, versionId: step.versionId, createdAt: now };
};

describe('the next step of a key rotation', () => {
  it("adds a key, which doesn't sign yet", () => {
    const step = nextStep(first, 'new', 0);

    expect(step).toMatchObject({ step: 'add', key: 'k2' });
    expect(JSON.parse(afterStep(first, 0).text)).toEqual({ current: 'k1', k1: 'one', k2: 'new' });
  });

  it('is a wait until every function has read the added key', () => {
    const added = afterStep(first, 5);

    expect(nextStep(added, 'other', 5)).toEqual({ step: 'wait', key: 'k2', until: 5 + spreadMs });
    expect(nextStep(added, 'other', 4 + spreadMs).step).toBe('wait');
  });

  it('lets the added key sign afterwards, and keeps the earlier one', () => {
    const added = afterStep(first, 0);

    const promoted = afterStep(added, spreadMs);

    expect(JSON.parse(promoted.text)).toEqual({ current: 'k2', k1: 'one', k2: 'new' });
  });

  it('starts over after a rotation, even a manual one', () => {
    const promoted = afterStep(afterStep(first, 0), spreadMs);
    const byHand = { ...promoted, versionId: 'by-hand' };

    expect(nextStep(promoted, 'new', spreadMs)).toMatchObject({ step: 'add', key: 'k3' });
    expect(nextStep(byHand, 'new', spreadMs)).toMatchObject({ step: 'add', key: 'k3' });
  });

  it('has an id that Secrets Manager accepts, derived from the previous version', () => {
    const one = afterStep(first, 0);
    const other = afterStep(first, 7);
    const later = afterStep({ ...first, versionId: 'another' }, 0);

    expect(one.versionId).toMatch(/^.{32,64}$/);
    expect(other.versionId).toBe(one.versionId);
    expect(later.versionId).not.toBe(one.versionId);
  });
});

describe('signing-key rotate', () => {
  it('does both steps, and waits in between', async () => {
    const twin = await startTwinSecret();

    const { exitCode, output } = await manage(
      'signing-key rotate --yes --json',
      twin.surroundings(),
    );

    expect({ exitCode, result: JSON.parse(output) }).toEqual({
      exitCode: 0,
      result: { step: 'current', key: 'k2' },
    });
    expect(await twin.keyring()).toMatchObject({ current: 'k2' });
    expect(twin.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(spreadMs - minute);
  });

  it('continues where an earlier run was stopped', async () => {
    const twin = await startTwinSecret();
    const stopped = new Error('Ctrl-C');
    const stop = { sleep: () => Promise.reject(stopped) };

    await manage('signing-key rotate --yes', { ...twin.surroundings(), ...stop });
    const between = await twin.keyring();
    const { exitCode, output } = await manage('signing-key rotate', twin.surroundings());

    expect(Object.keys(between).toSorted()).toEqual(['current', 'k1', 'k2']);
    expect(between['current']).toBe('k1');
    expect({ exitCode, output }).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^k2 signs/),
    });
    expect(await twin.keyring()).toEqual({ ...between, current: 'k2' });
  });

  it('says when to return, with --no-wait', async () => {
    const twin = await startTwinSecret();

    const added = await manage('signing-key rotate --yes --no-wait', twin.surroundings());
    const early = await manage('signing-key rotate --yes --no-wait', twin.surroundings());
    twin.clock.ahead = spreadMs + minute;
    const done = await manage('signing-key rotate --yes --no-wait', twin.surroundings());

    expect(added).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^k2 can sign from/),
    });
    expect(early).toMatchObject({ exitCode: 6, output: '' });
    expect(done).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^k2 signs/) });
  });

  it('asks for confirmation, and adds nothing without a terminal', async () => {
    const twin = await startTwinSecret();
    const before = await twin.keyring();

    const { exitCode, words } = await manage('signing-key rotate', twin.surroundings());

    expect({ exitCode, words }).toMatchObject({
      exitCode: 2,
      words: expect.stringContaining('--yes'),
    });
    expect(await twin.keyring()).toEqual(before);
  });

  it('succeeds for only one of two concurrent runs, and the other gets an error', async () => {
    const twin = await startTwinSecret();
    const secret = twin.secret;
    const [one, other] = await Promise.all([secret.read(), secret.read()]);

    const wins = await Promise.all(
      [one, other].map((version, index) => {
        const step = nextStep(version, `${index}`.repeat(32), 0);
        return step.step === 'add' && secret.write(step.text, step.versionId);
      }),
    );

    expect(wins.toSorted()).toEqual([false, true]);
  });

  it('requires the stack if only a URL is given', async () => {
    const { exitCode, words } = await manage('signing-key rotate --url https://a.example');

    expect({ exitCode, words }).toMatchObject({
      exitCode: 2,
      words: expect.stringContaining('--stack'),
    });
  });
});

/** The stand-in for Secrets Manager, and a clock that a wait moves on. */
async function startTwinSecret() {
  const server = await startSecrets({ key: newSecrets().tokenSigningKey });
  onTestFinished(server.stop);
  const file = JSON.stringify({
    ...Object(JSON.parse(twinFile)),
    signingKey: { secretsManagerUrl: server.url, secretId: 'key' },
  });
  const clock = { ahead: 0 };
  const slept: number[] = [];
  const surroundings = () => ({
    readCheckoutFile: () => file,
    now: () => Date.now() + clock.ahead,
    sleep: async (ms: number) => {
      slept.push(ms);
      clock.ahead += ms;
    },
  });
  const { signingKey } = await findTarget({}, fakeSurroundings(surroundings()));
  const secret: VersionedSecret = (signingKey ?? unexpected('a twin without a signing key'))();
  const keyring = async (): Promise<Record<string, unknown>> =>
    Object(JSON.parse((await secret.read()).text));
  return { clock, slept, surroundings, secret, keyring };
}
