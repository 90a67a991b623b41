import { Resend } from 'resend';
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/resend-answers.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, manageKey, fromEmail } = await useTwin();
const clientWith = (key: string) => new Resend(key, { baseUrl: `${baseUrl}/resend` });
const resend = clientWith(`re_${manageKey}`);

const domain = fromEmail.slice(fromEmail.indexOf('@') + 1);
const mail = (from: string) => ({ from, to: 'ann@example.com', subject: 'Hi', text: 'Hi' });
const sendWith = (key: string, from = `any@${domain}`) => clientWith(key).emails.send(mail(from));

describe('API keys, as Resend’s client sees them', () => {
  it('are created, used, listed, renamed and deleted', async () => {
    const { id, token } = dataOf(await resend.apiKeys.create({ name: 'one' }));
    expect(token).toMatch(/^re_esk_/);
    dataOf(await sendWith(token));
    dataOf(await sendWith(token.slice('re_'.length)));

    const renamed = dataOf(await clientWith(token).apiKeys.update(id, { name: 'other' }));
    const listed = dataOf(await resend.apiKeys.list({ limit: 1 }));
    expect(renamed).toEqual({ object: 'api_key', id });
    expect(listed).toMatchObject({ object: 'list', has_more: true });
    expect(listed.data).toEqual([
      {
        ...{ id, name: 'other' },
        created_at: expect.stringMatching(/^\d{4}-.+Z$/),
        last_used_at: expect.stringMatching(/^\d{4}-.+Z$/),
      },
    ]);

    const gone = dataOf(await resend.apiKeys.remove(id));
    expect(gone).toEqual({ object: 'api_key', id, deleted: true });
    expect((await sendWith(token)).error).toMatchObject({ name: 'invalid_api_key' });
    const { data } = dataOf(await resend.apiKeys.list());
    expect(data.map((key) => key.id)).not.toContain(id);
  });

  it('with sending_access can only send', async () => {
    const created = await resend.apiKeys.create({ name: 'sends', permission: 'sending_access' });
    const { token } = dataOf(created);

    const sends = clientWith(token);

    dataOf(await sendWith(token));
    const refused = { error: { name: 'restricted_api_key', statusCode: 401 } };
    expect(await sends.apiKeys.list()).toMatchObject(refused);
    expect(await sends.domains.create({ name: 'x.example.org' })).toMatchObject(refused);
  });

  it('restricted to a domain send only from there', async () => {
    const permission = 'sending_access';
    await resend.domains.create({ name: 'elsewhere.example.org' });
    const here = await resend.apiKeys.create({ name: 'here', permission, domain_id: domain });
    const there = await resend.apiKeys.create({
      ...{ name: 'there', permission },
      domain_id: 'elsewhere.example.org',
    });

    dataOf(await sendWith(dataOf(here).token));
    const { error } = await sendWith(dataOf(there).token);

    expect(error).toMatchObject({ name: 'invalid_from_address', statusCode: 403 });
  });

  it.each([
    ['domain_id', { permission: 'sending_access', domain_id: 'unknown.example.org' }],
    ['domain_id', { permission: 'full_access', domain_id: domain }],
    ['domain_id', { domain_id: domain }],
    ['name', { name: '' }],
  ] as const)('reject an invalid %s: %j', async (field, options) => {
    const { error } = await resend.apiKeys.create({ name: 'refused', ...options });

    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 });
    expect(error?.message).toContain(`\`${field}\``);
  });

  it("that don't exist aren't found", async () => {
    expect(await resend.apiKeys.remove('key_1')).toMatchObject({
      error: { name: 'not_found', statusCode: 404 },
    });
  });
});
