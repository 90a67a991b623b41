import { describe, expect, it } from 'vitest';
import type { Contact } from '#shared/contacts/contact';
import { signContactToken } from '#shared/preferences/contact-token';
import {
  findKnownTokenHolder,
  findTokenHolder,
  preferencesPathOf,
} from '#shared/sends/token-holder';
import { contactIdOf, feedbackIdOf } from '#shared/tokens/resource-id';
import { signToken } from '#shared/tokens/signed-token';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { fakeContacts, contactsNow as now } from '../../support/contacts-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organization = buildOrganization();
const contactId = contactIdOf(organization.id, 'ann@example.com');
const token = { contactId, feedbackId: feedbackIdOf(newSendId(organization.id)) };
const ann = buildContact({ id: contactId });
/** Erasures later than this count. */
const claimedAt = now - 60_000;
const erased = buildErasedContact({ id: contactId });
const keyring = buildKeyring();
const good = signContactToken(keyring, 'unsubscribe', token);
/** What a header's token proves. */
const weak = { token, text: good, opensPreferences: false };

type World = {
  readonly contact?: Contact;
  readonly sentTo?: string;
  readonly isOrganizationGone?: boolean;
};

/** Reads a token that unsubscribes Ann. */
function find(
  text: string | undefined,
  { contact, sentTo, isOrganizationGone }: World,
  findHolder: typeof findTokenHolder = findTokenHolder,
) {
  let stored = contact;
  const { contacts, effects } = fakeContacts(
    {
      keyring,
      organizations: isOrganizationGone ? [] : [organization],
      sends:
        sentTo === undefined
          ? []
          : [buildSend({ feedbackId: token.feedbackId, toEmail: sentTo, claimedAt })],
    },
    {
      store: {
        get: async (id) => (stored?.id === id ? stored : undefined),
        ensure: async () => {
          stored = ann;
        },
      },
    },
  );
  const run = () => findHolder('unsubscribe', text, contacts);
  return { run, effects };
}

const toNobody: [string, string | undefined, World][] = [
  ['no token', undefined, { contact: ann }],
  ['a token that is not ours', 'forged', { contact: ann }],
  [
    'a token of another purpose',
    signToken(keyring, 'click', `${contactId} ${token.feedbackId}`),
    { contact: ann },
  ],
  ['a token of neither contact nor send', good, {}],
  ['a token of a contact that is gone, whose send names no address', good, { sentTo: 'erased' }],
  ['a token of a contact that its send does not name', good, { sentTo: 'ben@example.org' }],
];

describe('findTokenHolder', () => {
  it("finds the token's holder", async () => {
    const { run, effects } = find(good, { contact: ann });

    expect(await run()).toEqual({ ...weak, organization, contact: ann });
    expect(effects).toEqual([]);
  });

  it('stores a contact that was lost after its send, with the time of the claim, unless it was erased since', async () => {
    const { run, effects } = find(good, { sentTo: 'ann@example.com' });

    expect(await run()).toEqual({ ...weak, organization, contact: ann });
    expect(effects).toEqual([['store.ensure', organization.id, 'ann@example.com', claimedAt]]);
  });

  it('finds an erased person without an address, and stores no contact', async () => {
    const { run, effects } = find(good, { contact: erased, sentTo: 'ann@example.com' });

    expect(await run()).toEqual({ ...weak, organization, contact: erased });
    expect(effects).toEqual([]);
  });

  it.each(toNobody)('finds nobody for %s', async (_what, text, world) => {
    const { run } = find(text, world);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
  });

  it('reports that the sender is gone, and stores no contact for it', async () => {
    const { run, effects } = find(good, { sentTo: 'ann@example.com', isOrganizationGone: true });

    expect((await serviceErrorOf(run)).code).toBe('sender_gone');
    expect(effects).toEqual([]);
  });
});

describe('findKnownTokenHolder', () => {
  it("finds the token's holder", async () => {
    const { run } = find(good, { contact: ann }, findKnownTokenHolder);

    expect(await run()).toEqual({ ...weak, organization, contact: ann });
  });

  it("doesn't find an erased person", async () => {
    const { run, effects } = find(good, { contact: erased }, findKnownTokenHolder);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
    expect(effects).toEqual([]);
  });

  it.each(toNobody)('finds nobody for %s', async (_what, text, world) => {
    const { run } = find(text, world, findKnownTokenHolder);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
  });
});

describe('preferencesPathOf', () => {
  const strong = signContactToken(keyring, 'preferences', token);

  it("leads to the holder's preferences, with the presented token", async () => {
    const { run } = find(strong, { contact: ann });

    const path = preferencesPathOf(await run());

    expect(path).toBe(`/preferences?token=${strong}`);
  });

  it('leads nowhere for a token that only unsubscribes, as no stronger one may be derived from it', async () => {
    const { run } = find(good, { contact: ann });

    expect(preferencesPathOf(await run())).toBeUndefined();
  });

  it('leads nowhere for an erased person, whose preferences page returns 404', async () => {
    const { run } = find(strong, { contact: erased });

    expect(preferencesPathOf(await run())).toBeUndefined();
  });
});
