import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { secretReader } from '#shared/config/secret';
import { secretKeptForMs } from '#shared/config/secret-lifetime';
import { keyringSecretSchema, signToken, verifyToken } from '#shared/tokens/signed-token';

/** As long as `infra/README.md` says to wait between the two steps. */
const waitMs = 10 * 60_000;

const keys = { k1: 'first-signing-key-'.repeat(3), k2: 'second-signing-key-'.repeat(3) };
const before = JSON.stringify({ current: 'k1', k1: keys.k1 });
const withNewKey = JSON.stringify({ current: 'k1', ...keys });
const withNewKeyCurrent = JSON.stringify({ current: 'k2', ...keys });

const addedAt = Date.UTC(2026, 10, 21);

/** The secret while a rotation waits so long between its two steps. */
function createRotation(wait: number): () => Promise<string> {
  return async () => {
    if (Date.now() < addedAt) return before;
    return Date.now() < addedAt + wait ? withNewKey : withNewKeyCurrent;
  };
}

/** Sandboxes of Lambda, each with its own memory of the secret. */
const createSandboxes = (secret: () => Promise<string>, count: number) =>
  Array.from({ length: count }, () => secretReader('signing-key', keyringSecretSchema, secret));

type Sandbox = ReturnType<typeof createSandboxes>[number];

const sign = async (sandbox: Sandbox) => signToken(await sandbox(), 'unsubscribe', 'ann');
const accepts = async (sandbox: Sandbox, token: string) =>
  verifyToken(await sandbox(), 'unsubscribe', token) === 'ann';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a rotation of the signing key in two steps', () => {
  it('refuses no link at any moment, whichever sandbox made it and whichever gets it', async () => {
    const sandboxCount = 4;
    const visit = fc.record({
      at: fc.integer({ min: -2 * secretKeptForMs, max: waitMs + 3 * secretKeptForMs }),
      signer: fc.nat({ max: sandboxCount - 1 }),
      verifier: fc.nat({ max: sandboxCount - 1 }),
    });

    await fc.assert(
      fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 60 }), async (visits) => {
        const sandboxes = createSandboxes(createRotation(waitMs), sandboxCount);
        const links: string[] = [];
        const refused: unknown[] = [];

        for (const { at, signer, verifier } of visits.toSorted((one, two) => one.at - two.at)) {
          vi.setSystemTime(addedAt + at);
          const [from, to] = [sandboxes[signer], sandboxes[verifier]];
          if (from === undefined || to === undefined) throw new Error('No such sandbox');
          links.push(await sign(from));
          for (const link of links) if (!(await accepts(to, link))) refused.push({ at, link });
        }

        expect(refused).toEqual([]);
      }),
    );
  });

  it('ends with links that the new key signs, and those of the old one still verify', async () => {
    const [sandbox] = createSandboxes(createRotation(waitMs), 1);
    if (sandbox === undefined) throw new Error('No sandbox');
    vi.setSystemTime(addedAt - 1);
    const old = await sign(sandbox);

    vi.setSystemTime(addedAt + waitMs + secretKeptForMs);
    const fresh = await sign(sandbox);

    expect([old, fresh].map((token) => token.split('.')[0])).toEqual(['k1', 'k2']);
    expect(await accepts(sandbox, old)).toBe(true);
  });

  it.each([
    { wait: 'none, in one step', ms: 0 },
    { wait: 'less than a sandbox keeps the secret', ms: secretKeptForMs - 2 },
  ])('refuses fresh links when the wait is $wait', async ({ ms }) => {
    const [old, young] = createSandboxes(createRotation(ms), 2);
    if (old === undefined || young === undefined) throw new Error('No sandboxes');
    vi.setSystemTime(addedAt - 1);
    await old();

    vi.setSystemTime(addedAt + ms);
    const fresh = await sign(young);

    expect(await accepts(old, fresh)).toBe(false);
  });

  it('waits twice as long as a sandbox keeps the secret', () => {
    expect(waitMs).toBe(2 * secretKeptForMs);
  });
});
