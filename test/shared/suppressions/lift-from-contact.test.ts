import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '#shared/contacts/contact';
import { eraseContact } from '#shared/contacts/contact-store';
import { liftFromContact } from '#shared/suppressions/lift-from-contact';
import { contactIdOf } from '#shared/tokens/resource-id';
import { serviceErrorOf } from '../../support/service-error.ts';
import {
  openSuppressionAccount,
  type SuppressionAccount,
} from '../../support/suppression-account.ts';

const ann = 'ann@example.com';
const idOf = ({ organizationId }: SuppressionAccount) => contactIdOf(organizationId, ann);

const lift = async (
  account: SuppressionAccount,
  reasons: readonly SuppressionReason[],
  address?: string,
) =>
  liftFromContact(
    {
      contactId: idOf(account),
      all: await account.suppressionsOf(),
      reasons,
      ...(address !== undefined && { address }),
    },
    account.caller,
    account,
  );

type Suppress = (account: SuppressionAccount) => Promise<unknown>;

describe('lifting', () => {
  it("takes the address from SES's own list in all its spellings, and then the suppression", async () => {
    const account = await openSuppressionAccount();
    const { listed, onProvider, suppressionsOf } = account;
    await account.suppressByEvent('bounce', { address: 'Ann@example.com' });
    for (const spelling of ['ANN@example.com', ann, 'other@example.com']) listed.add(spelling);
    let suppressed: unknown;
    onProvider.before = async () => {
      suppressed = await suppressionsOf();
    };

    const outcome = await lift(account, ['bounce'], 'ANN@example.com');

    expect(outcome).toBe('removed');
    expect([...listed]).toEqual(['other@example.com']);
    expect(suppressed, 'while SES is asked').toHaveLength(1);
    expect(await suppressionsOf()).toEqual([]);
  });

  it('notes who did it, and no address', async () => {
    const account = await openSuppressionAccount();
    await account.suppressByEvent('bounce', { diagnostic: `no ${ann} here` });

    await lift(account, ['bounce']);

    const entries = await account.audit();
    expect(entries).toMatchObject([
      {
        actor: account.apiKey.id,
        action: 'suppression.lifted',
        target: idOf(account),
        before: { bounce: { at: account.now() } },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('ann@');
  });

  it('says when the address was not on the list', async () => {
    const account = await openSuppressionAccount();
    await account.suppressByEvent('complaint');
    account.listed.clear();

    expect(await lift(account, ['complaint'])).toBe('not_listed');
  });

  it.each<[string, SuppressionReason, Suppress]>([
    ['was made by hand', 'manual', ({ suppress }) => suppress('manual')],
    ['is the person’s own', 'unsubscribe', ({ suppress }) => suppress('unsubscribe')],
    ['is an imported bounce', 'bounce', ({ suppress }) => suppress('bounce')],
    ['is an imported complaint', 'complaint', ({ suppress }) => suppress('complaint')],
    [
      'was made by hand beside a bounce',
      'manual',
      async ({ suppress, suppressByEvent }) => {
        await suppressByEvent('bounce');
        await suppress('manual');
      },
    ],
    [
      'is a bounce beside a complaint',
      'bounce',
      async ({ suppressByEvent }) => {
        await suppressByEvent('bounce');
        await suppressByEvent('complaint');
      },
    ],
    [
      'is that of an erased person',
      'bounce',
      async (account) => {
        await account.suppressByEvent('bounce', { address: 'erased' });
        await eraseContact(account.table, idOf(account), account.now());
      },
    ],
  ])("doesn't ask SES to remove an address whose suppression %s", async (_, reason, suppress) => {
    const account = await openSuppressionAccount();
    await suppress(account);
    account.onProvider.before = async () => {
      throw new Error('asked');
    };

    expect(await lift(account, [reason])).toBe('untouched');

    const left = await account.suppressionsOf();
    expect(left.map((one) => one.reason)).not.toContain(reason);
  });

  it("takes the address from SES's list though an imported reason remains, which blocks it here", async () => {
    const account = await openSuppressionAccount();
    await account.suppressByEvent('bounce');
    await account.suppress('complaint');

    expect(await lift(account, ['bounce'])).toBe('removed');
    expect(await account.suppressionsOf()).toMatchObject([{ reason: 'complaint' }]);
  });

  it('tells the second of two at once that the other was first', async () => {
    const account = await openSuppressionAccount();
    await account.suppressByEvent('bounce');
    account.beforeNextWrite(() => account.liftElsewhere('bounce'));

    const error = await serviceErrorOf(() => lift(account, ['bounce']));

    expect(error.code).toBe('concurrent_change');
    expect(await account.audit()).toEqual([]);
  });
});
