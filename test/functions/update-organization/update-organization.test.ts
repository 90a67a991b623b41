import { describe, expect, it } from 'vitest';
import {
  endpoint,
  updateOrganization,
} from '../../../functions/update-organization/update-organization.ts';
import { type Account, openAccount } from '../../support/account.ts';

const update = ({ organizationId: id, table, now }: Account, body: object) =>
  updateOrganization(
    { caller: { actor: 'operator' }, path: { id }, body: endpoint.body.parse(body) },
    { table, now, linkDomains: [] },
  );

describe('updateOrganization', () => {
  it('changes the given fields, on behalf of the operator', async () => {
    const account = await openAccount();

    const changed = await update(account, { paused: true });

    const { organization, clock } = account;
    expect(changed).toEqual({ ...organization, paused: true, updatedAt: clock.at });
    expect(await account.stored()).toEqual(changed);
    expect(await account.audit()).toMatchObject([
      { actor: 'operator', before: { paused: false }, after: { paused: true } },
    ]);
  });

  it('sets the limits that are named, and gives back those that are null', async () => {
    const account = await openAccount({ limits: { apiKeys: 5, templates: 6 } });

    await update(account, { limits: { apiKeys: null, webhooks: 2 } });

    expect((await account.stored())?.limits).toEqual({ templates: 6, webhooks: 2 });
    expect(await account.audit()).toMatchObject([
      {
        before: { limits: { apiKeys: 5, templates: 6 } },
        after: { limits: { templates: 6, webhooks: 2 } },
      },
    ]);
  });

  it('keeps no limits when all are given back', async () => {
    const account = await openAccount({ limits: { apiKeys: 5 } });

    await update(account, { limits: { apiKeys: null } });

    expect(await account.stored()).not.toHaveProperty('limits');
  });
});

describe('the request', () => {
  it.each([
    {},
    { paused: 'yes' },
    { paused: null },
    { name: '' },
    { name: 'a\nb' },
    { footerText: 'x' },
    { limits: { apiKeys: 0 } },
    { limits: { webhooks: 21 } },
    { limits: { apiKey: 5 } },
  ])('is refused as %o', (body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });
});
