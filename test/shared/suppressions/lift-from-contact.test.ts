import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '#shared/contacts/contact';
import { type Lifting, liftFromContact } from '#shared/suppressions/lift-from-contact';
import type { Suppression } from '#shared/suppressions/suppression-list-store';
import { contactIdOf, newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { serviceErrorOf } from '../../support/service-error.ts';

const organizationId = newOrganizationId();
const contactId = contactIdOf(organizationId, 'ann@example.com');
const manager = {
  organizationId,
  actor: newApiKeyId(organizationId),
  subscribed: { webhooks: {} },
};
const now = 1_750_000_000_000;

const suppressed = (reason: SuppressionReason, given: Partial<Suppression> = {}): Suppression => ({
  contactId,
  email: 'ann@example.com',
  reason,
  at: now - 1_000,
  providerMessageId: 'message-1',
  ...given,
});

/** What reports it. */
const reporting = expect.any(Function);

/** Imported, or written by hand: no event of SES caused it. */
const written = (reason: SuppressionReason) => suppressed(reason, { providerMessageId: undefined });

function prepare(given: Partial<{ isListed: boolean; isLifted: boolean }> = {}) {
  const { isListed = true, isLifted = true } = given;
  const effects: unknown[][] = [];
  const lifting: Lifting = {
    now: () => now,
    sendRetentionDays: 90,
    wakeQueue: async () => {},
    lifts: {
      lift: async (...args) => {
        effects.push(['lift', ...args]);
        return isLifted;
      },
    },
    providerList: {
      remove: async (...args) => {
        effects.push(['remove', ...args]);
        return isListed;
      },
    },
  };
  const lift = (
    all: readonly Suppression[],
    reasons: readonly SuppressionReason[],
    address?: string,
  ) =>
    liftFromContact(
      { contactId, all, reasons, ...(address !== undefined && { address }) },
      manager,
      lifting,
    );
  return { lift, effects };
}

describe('lifting', () => {
  it("takes the address from SES's own list in all its spellings, and then the suppression", async () => {
    const { lift, effects } = prepare();
    const bounce = suppressed('bounce', { address: 'Ann@example.com' });

    const outcome = await lift([bounce], ['bounce'], 'ANN@example.com');

    expect(outcome).toBe('removed');
    expect(effects).toEqual([
      ['remove', ['ANN@example.com', 'ann@example.com', 'Ann@example.com'], organizationId],
      [
        'lift',
        { id: contactId, email: 'ann@example.com' },
        ['bounce'],
        expect.anything(),
        now,
        reporting,
      ],
    ]);
  });

  it('notes who did it, and no address', async () => {
    const { lift, effects } = prepare();

    await lift([suppressed('bounce', { diagnostic: 'no ann@example.com here' })], ['bounce']);

    const [, [, , , entry] = []] = effects;
    expect(entry).toMatchObject({
      actor: manager.actor,
      action: 'suppression.lifted',
      target: contactId,
      before: { bounce: { at: now - 1_000 } },
    });
    expect(JSON.stringify(entry)).not.toContain('ann@');
  });

  it('says when the address was not on the list', async () => {
    const { lift } = prepare({ isListed: false });

    expect(await lift([suppressed('complaint')], ['complaint'])).toBe('not_listed');
  });

  it.each([
    { all: [written('manual')], reasons: ['manual'] as const },
    { all: [written('unsubscribe')], reasons: ['unsubscribe'] as const },
    { all: [written('bounce')], reasons: ['bounce'] as const },
    { all: [written('complaint')], reasons: ['complaint'] as const },
    { all: [suppressed('bounce'), written('manual')], reasons: ['manual'] as const },
    { all: [suppressed('bounce'), suppressed('complaint')], reasons: ['bounce'] as const },
    {
      all: [suppressed('bounce', { email: undefined, address: 'erased' })],
      reasons: ['bounce'] as const,
    },
  ])(
    "leaves SES's list alone where it has nothing to say, or must still block: %o",
    async ({ all, reasons }) => {
      const { lift, effects } = prepare();

      expect(await lift(all, reasons)).toBe('untouched');
      expect(effects).toMatchObject([['lift', { id: contactId }, reasons, {}, now, reporting]]);
    },
  );

  it("takes the address from SES's list though an imported reason remains, which blocks it here", async () => {
    const { lift } = prepare();

    expect(await lift([suppressed('bounce'), written('complaint')], ['bounce'])).toBe('removed');
  });

  it('tells the second of two at once that the other was first', async () => {
    const { lift } = prepare({ isLifted: false });

    const error = await serviceErrorOf(() => lift([suppressed('bounce')], ['bounce']));

    expect(error.code).toBe('concurrent_change');
  });
});
