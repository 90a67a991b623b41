import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityStatuses } from '#shared/identity/identity';
import { isKeyOfProgram, type SetupFacts, setupOf } from '../../../functions/get-overview/setup.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';

const nothing: SetupFacts = {
  identity: undefined,
  isSendingVerified: false,
  hasProductionAccess: false,
  hasKey: false,
  hasSent: false,
  hasDelivered: false,
  hasWebhook: false,
};

const doneOf = (facts: Partial<SetupFacts>) =>
  setupOf({ ...nothing, ...facts })
    .steps.filter(({ isDone }) => isDone)
    .map(({ name }) => name);

describe('setupOf', () => {
  it('requires every step of a new team, except the optional webhook', () => {
    const { isFinished, steps } = setupOf(nothing);

    expect(isFinished).toBe(false);
    expect(steps.every(({ isDone }) => isDone === false)).toBe(true);
    expect(steps.filter(({ isOptional }) => isOptional).map(({ name }) => name)).toEqual([
      'webhook',
    ]);
  });

  it.each([
    [{ identity: 'pending' }, ['identity']],
    [{ identity: 'failed' }, ['identity']],
    [{ identity: 'active' }, ['identity', 'dns']],
    // The domain of before sends on until the new one is verified.
    [{ identity: 'pending', isSendingVerified: true }, ['identity', 'dns']],
    [{ hasProductionAccess: true }, ['production_access']],
    [{ hasKey: true }, ['key']],
    [{ hasSent: true }, ['first_sent']],
    [{ hasDelivered: true }, ['first_sent', 'first_delivered']],
    [{ hasWebhook: true }, ['webhook']],
  ] as const)('takes %o for the steps %o', (facts, done) => {
    expect(doneOf(facts)).toEqual(done);
  });

  it("shows the sandbox status as unknown when SES couldn't be asked", () => {
    const { steps } = setupOf({ ...nothing, hasProductionAccess: undefined });

    expect(steps.filter(({ isDone }) => isDone === null).map(({ name }) => name)).toEqual([
      'production_access',
    ]);
  });

  it('is finished with the first delivered email alone, and never goes back', () => {
    const facts: fc.Arbitrary<SetupFacts> = fc.record({
      identity: fc.option(fc.constantFrom(...identityStatuses), { nil: undefined }),
      isSendingVerified: fc.boolean(),
      hasProductionAccess: fc.option(fc.boolean(), { nil: undefined }),
      hasKey: fc.boolean(),
      hasSent: fc.boolean(),
      hasDelivered: fc.boolean(),
      hasWebhook: fc.boolean(),
    });

    fc.assert(
      fc.property(facts, (one) => {
        expect(setupOf(one).isFinished).toBe(one.hasDelivered);
        expect(doneOf({ ...one, hasDelivered: true })).toEqual(expect.arrayContaining(doneOf(one)));
      }),
    );
  });
});

describe('isKeyOfProgram', () => {
  const now = 1_750_000_000_000;

  it.each([
    { settings: { scopes: [] }, is: true },
    { settings: { scopes: ['send_email'] }, is: true },
    { settings: { scopes: ['read_sends'] }, is: false },
    { settings: { scopes: ['send_email', 'manage_organization'] }, is: false },
    { settings: { scopes: [], revokedAt: now - 1 }, is: false },
    { settings: { scopes: [], validUntil: now - 1 }, is: false },
  ] as const)('of $settings is $is', ({ settings, is }) => {
    const { apiKey } = buildApiKey({ ...settings, scopes: [...settings.scopes] });

    expect(isKeyOfProgram(apiKey, now)).toBe(is);
  });
});
