import { describe, expect, it } from 'vitest';
import {
  findKnownTokenHolder,
  findTokenHolder,
  preferencesPathOf,
} from '#shared/send-history/token-holder';
import { contactIdOf } from '#shared/tokens/resource-id';
import { signToken } from '#shared/tokens/signed-token';
import { type Audience, openAudience } from '../../support/audience.ts';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/** Says who has the token of an email to Bob, whose contact isn't stored yet. */
async function tokenOfSend(audience: Audience, toEmail: string): Promise<string> {
  const { table, organizationId, tokenOf } = audience;
  const send = buildClaim({ organizationId, toEmail });
  await claimSend(table, send);
  const contactId = contactIdOf(organizationId, 'bob@example.com');
  return tokenOf('unsubscribe', { contactId, feedbackId: send.feedbackId });
}

const contactsIn = (audience: Audience) => audience.items().filter((item) => 'email' in item);

const toNobody: [string, (audience: Audience) => string | undefined | Promise<string>][] = [
  ['no token', () => undefined],
  ['a token that is not ours', () => 'forged'],
  [
    'a token of another purpose',
    async ({ keyring, contactId, feedbackId }) =>
      signToken(await keyring(), 'click', `${contactId} ${feedbackId}`),
  ],
  [
    'a token of neither contact nor send',
    ({ tokenOf, organizationId }) =>
      tokenOf('unsubscribe', { contactId: contactIdOf(organizationId, 'bob@example.com') }),
  ],
  [
    'a token of a contact that is gone, whose send names no address',
    (audience) => tokenOfSend(audience, 'erased'),
  ],
  [
    'a token of a contact that its send does not name',
    (audience) => tokenOfSend(audience, 'ben@example.org'),
  ],
];

describe('findTokenHolder', () => {
  it("finds the token's holder, and writes nothing", async () => {
    const audience = await openAudience();
    const { tokenOf, contactId, feedbackId } = audience;
    const text = tokenOf('unsubscribe');
    const before = audience.items();

    expect(await findTokenHolder('unsubscribe', text, audience)).toEqual({
      ...{ token: { contactId, feedbackId }, text, opensPreferences: false },
      ...{ organization: await audience.stored(), contact: await audience.ann() },
    });
    expect(audience.items()).toEqual(before);
  });

  it('stores a contact that was lost after its send, as of the time of the claim', async () => {
    const audience = await openAudience();
    const text = await tokenOfSend(audience, 'bob@example.com');

    const { contact } = await findTokenHolder('unsubscribe', text, audience);

    expect(contact).toMatchObject({ email: 'bob@example.com', createdAt: claimNow });
    expect(contactsIn(audience)).toContainEqual(expect.objectContaining(contact));
  });

  it('finds an erased person without an address, and stores no contact', async () => {
    const audience = await openAudience();
    await audience.erase();

    const { contact } = await findTokenHolder(
      'unsubscribe',
      audience.tokenOf('unsubscribe'),
      audience,
    );

    expect(contact).toEqual(await audience.ann());
    expect(contact).not.toHaveProperty('email');
  });

  it.each(toNobody)('finds nobody for %s', async (_what, textOf) => {
    const audience = await openAudience();
    const text = await textOf(audience);

    const error = await serviceErrorOf(() => findTokenHolder('unsubscribe', text, audience));

    expect(error.code).toBe('contact_not_found');
  });

  it('reports that the sender is gone, and stores no contact for it', async () => {
    const audience = await openAudience();
    const text = await tokenOfSend(audience, 'bob@example.com');
    await audience.remove();

    const error = await serviceErrorOf(() => findTokenHolder('unsubscribe', text, audience));

    expect(error.code).toBe('sender_gone');
    expect(contactsIn(audience)).toEqual([expect.objectContaining({ email: 'ann@example.com' })]);
  });
});

describe('findKnownTokenHolder', () => {
  it("finds the token's holder", async () => {
    const audience = await openAudience();
    const text = audience.tokenOf('unsubscribe');

    const { contact } = await findKnownTokenHolder('unsubscribe', text, audience);

    expect(contact).toEqual(await audience.ann());
  });

  it("doesn't find an erased person", async () => {
    const audience = await openAudience();
    await audience.erase();
    const text = audience.tokenOf('unsubscribe');

    const error = await serviceErrorOf(() => findKnownTokenHolder('unsubscribe', text, audience));

    expect(error.code).toBe('contact_not_found');
  });
});

describe('preferencesPathOf', () => {
  const find = (audience: Audience, made: 'unsubscribe' | 'preferences') =>
    findTokenHolder('unsubscribe', audience.tokenOf(made), audience);

  it("leads to the holder's preferences, with the presented token", async () => {
    const holder = await find(await openAudience(), 'preferences');

    expect(preferencesPathOf(holder)).toBe(`/preferences?token=${holder.text}`);
  });

  it('leads nowhere for a token that only unsubscribes, as no stronger one may be derived from it', async () => {
    const holder = await find(await openAudience(), 'unsubscribe');

    expect(preferencesPathOf(holder)).toBeUndefined();
  });

  it('leads nowhere for an erased person, whose preferences page returns 404', async () => {
    const audience = await openAudience();
    await audience.erase();

    expect(preferencesPathOf(await find(audience, 'preferences'))).toBeUndefined();
  });
});
