import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { deleteCategory } from '#shared/preferences/category-store';
import { unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { type Audience, openAudience } from '../../support/audience.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';
import { unexpected } from '../../support/unexpected.ts';

type Asked = {
  readonly token?: string | undefined;
  readonly everything?: 'true';
  readonly credential?: string;
  /** Read only if the URL has no token. */
  readonly fields?: Record<string, string>;
};

const ask = (audience: Audience, { credential, fields, ...query }: Asked) =>
  unsubscribe(
    {
      query,
      ...presenting(credential),
      source: surroundings.source,
      readFields: fields
        ? async () => new URLSearchParams(fields)
        : unexpected('reading of the body'),
    },
    audience,
  );

describe('unsubscribe', () => {
  it("unsubscribes the token's holder without reading the body, and returns who that is", async () => {
    const audience = await openAudience();
    const contact = await audience.ann();

    const holder = await ask(audience, { token: audience.tokenOf('unsubscribe') });

    expect(holder).toMatchObject({ contact, opensPreferences: false });
    expect(await audience.ann()).toMatchObject({ unsubscribe: { at: audience.now() } });
    expect(await audience.reported()).toEqual(['contact.unsubscribed', 'suppression.added']);
  });

  it('unsubscribes an erased person, and stores no address', async () => {
    const audience = await openAudience();
    await audience.erase();
    const contact = await audience.ann();

    expect(await ask(audience, { token: audience.tokenOf('unsubscribe') })).toMatchObject({
      contact,
    });
    expect(await audience.ann()).toMatchObject({ unsubscribe: { at: audience.now() } });
    expect(await audience.ann()).not.toHaveProperty('email');
  });

  it('has nothing to do when the sender was deleted, and still succeeds', async () => {
    const audience = await openAudience();
    await audience.remove();
    const before = await audience.ann();

    const outcome = await ask(audience, { token: audience.tokenOf('unsubscribe') });

    expect(outcome).toBe('sender gone');
    expect(await audience.ann()).toEqual(before);
  });

  describe("with a category's token", () => {
    const leave = (audience: Audience, asked: Asked = {}) =>
      ask(audience, { token: audience.tokenOf('unsubscribe', { categoryKey: 'news' }), ...asked });
    const left = { category: { key: 'news', name: 'News' } };

    it.each<[string, (audience: Audience) => Promise<unknown>]>([
      ['a subscribed person', async () => {}],
      ['a person who has left everything', ({ leave: leaveAll }) => leaveAll()],
      ['an erased person', ({ erase }) => erase()],
    ])('unsubscribes only from that category, for %s', async (_who, become) => {
      const audience = await openAudience();
      await become(audience);
      const before = await audience.ann();

      expect(await leave(audience)).toMatchObject(left);

      const subscriptions = { news: false };
      expect(await audience.ann()).toEqual({ ...before, subscriptions, updatedAt: audience.now() });
      expect(await audience.reported()).toEqual(['contact.preferences_updated']);
    });

    it('writes and reports nothing the second time', async () => {
      const audience = await openAudience();
      await audience.choose({ news: false });
      const before = await audience.ann();

      expect(await leave(audience)).toMatchObject(left);
      expect(await audience.ann()).toEqual(before);
      expect(await audience.reported()).toEqual([]);
    });

    it('unsubscribes from all bulk email if asked to', async () => {
      const audience = await openAudience();

      expect(await leave(audience, { everything: 'true' })).toMatchObject({ category: undefined });
      expect(await audience.ann()).toMatchObject({ unsubscribe: { at: audience.now() } });
    });

    it('unsubscribes from all bulk email if the category was deleted', async () => {
      const audience = await openAudience();
      const { table, organization, organizationId, now } = audience;
      const change = { action: 'category.deleted', target: 'news' };
      const entry = newAuditEntry(organizationId, 'operator', change, now());
      await deleteCategory(table, organization, left.category, entry);

      expect(await leave(audience)).toMatchObject({ category: undefined });
      expect(await audience.ann()).toMatchObject({ unsubscribe: { at: now() } });
    });
  });

  it('unsubscribes from a paused organization', async () => {
    const audience = await openAudience({ paused: true });

    await ask(audience, { token: audience.tokenOf('unsubscribe') });

    expect(await audience.ann()).toMatchObject({ unsubscribe: { at: audience.now() } });
  });

  it('unsubscribes a bare address, and reveals nothing about it', async () => {
    const audience = await openAudience();

    expect(await ask(audience, { fields: { email: 'Ann@example.com' } })).toBeUndefined();
    expect(await audience.ann()).toMatchObject({ unsubscribe: { at: audience.now() } });
    expect(audience.strangersCounted()).toEqual([1, 1]);
  });

  it("unsubscribes an address that nobody knows from the organization of the caller's key", async () => {
    const audience = await openAudience();
    const { credential } = audience;

    await ask(audience, { credential, fields: { email: 'bob@example.com' } });

    expect(audience.items()).toContainEqual(
      expect.objectContaining({ email: 'bob@example.com', unsubscribe: { at: audience.now() } }),
    );
  });

  it("doesn't fall back to the address if the token is invalid", async () => {
    const audience = await openAudience();
    const before = audience.items();

    const error = await serviceErrorOf(() =>
      ask(audience, { token: 'forged', fields: { email: 'ann@example.com' } }),
    );

    expect(error.code).toBe('contact_not_found');
    expect(audience.items()).toEqual(before);
  });

  it("doesn't read the body of a caller with an invalid key", async () => {
    const audience = await openAudience();

    const error = await serviceErrorOf(() => ask(audience, { credential: buildApiKey().text }));

    expect(error.code).toBe('invalid_api_key');
  });

  it('accepts the token in the body too', async () => {
    const audience = await openAudience();

    await ask(audience, { fields: { token: audience.tokenOf('unsubscribe') } });

    expect(await audience.ann()).toMatchObject({ unsubscribe: { at: audience.now() } });
  });

  it('requires a token or an address', async () => {
    const audience = await openAudience();
    const before = audience.items();

    const error = await serviceErrorOf(() => ask(audience, { fields: {} }));

    expect(error.code).toBe('validation_failed');
    expect(audience.items()).toEqual(before);
  });
});
