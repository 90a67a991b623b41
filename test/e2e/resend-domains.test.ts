import { Resend } from 'resend';
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/resend-answers.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, apiKey, manageKey } = await useTwin();
const clientWith = (key: string) => new Resend(`re_${key}`, { baseUrl: `${baseUrl}/resend` });
const resend = clientWith(manageKey);

type Records = { type: string; name: string; value: string; priority?: number }[];

/** Puts records into the twin's own DNS, as a person puts them into a zone. */
async function publish(zone: string, records: Records): Promise<void> {
  const lines = records.map(({ type, name, value, priority }) => {
    const written = type === 'TXT' ? `"${value}"` : `${value}.`;
    const rank = priority === undefined ? '' : `${priority} `;
    return `${name}.${zone}. 3600 IN ${type} ${rank}${written}`;
  });
  await fetch(`${baseUrl}/_local/dns`, { method: 'POST', body: lines.join('\n') });
}

describe('domains, as Resend’s client sees them', () => {
  const name = 'shop.example.org';

  it('are added, verified by the returned records, sent from, and deleted', async () => {
    const added = dataOf(await resend.domains.create({ name }));
    expect(added).toMatchObject({ id: name, name, status: 'pending', region: 'us-east-1' });
    expect(Date.parse(added.created_at)).toBeGreaterThan(Date.now() - 60_000);
    const [spf] = added.records.filter(({ record, type }) => record === 'SPF' && type === 'MX');
    expect(spf).toMatchObject({ priority: 10, status: 'pending' });

    await publish(spf?.name === 'send' ? name : 'example.org', added.records);
    const verified = dataOf(await resend.domains.verify(added.id));
    expect(verified).toEqual({ object: 'domain', id: name });
    const read = dataOf(await resend.domains.get(added.id));
    expect(read).toMatchObject({ object: 'domain', status: 'verified' });
    expect(new Set(read.records.map(({ status }) => status))).toEqual(new Set(['verified']));
    const email = { from: `a@${name}`, to: 'ann@example.com', subject: 'Hi', text: 'Hi' };
    dataOf(await clientWith(apiKey).emails.send(email));

    expect(dataOf(await resend.domains.remove(added.id))).toEqual({
      ...{ object: 'domain', id: name },
      deleted: true,
    });
    expect(await resend.domains.get(added.id)).toMatchObject({
      error: { name: 'not_found', statusCode: 404 },
    });
  });

  it('are listed page by page, in both directions', async () => {
    for (const one of ['a.example.org', 'b.example.org'])
      await resend.domains.create({ name: one });
    const all = dataOf(await resend.domains.list());
    const ids = all.data.map(({ id }) => id);
    expect(all).toMatchObject({ object: 'list', has_more: false });
    expect(all.data.map((one) => one.created_at)).not.toContain(null);
    expect(ids.length).toBeGreaterThanOrEqual(3);

    const first = dataOf(await resend.domains.list({ limit: 2 }));
    const rest = dataOf(await resend.domains.list({ limit: 2, after: ids[1] ?? '' }));
    const back = dataOf(await resend.domains.list({ limit: 1, before: ids[2] ?? '' }));

    expect(first).toMatchObject({ has_more: true, data: all.data.slice(0, 2) });
    expect(rest.data).toEqual(all.data.slice(2, 4));
    expect(back).toMatchObject({ has_more: true, data: [all.data[1]] });
  });

  it('send bounces to the requested subdomain', async () => {
    const added = dataOf(
      await resend.domains.create({
        ...{ name: 'bounces.example.org', region: 'us-east-1', customReturnPath: 'back' },
        ...{ tls: 'opportunistic', capabilities: { sending: 'enabled', receiving: 'disabled' } },
      }),
    );

    const { name } = added.records.find(({ type }) => type === 'MX') ?? {};
    expect(name).toMatch(/^back\b/);
  });

  it('take back what their creation said a second time', async () => {
    const again = dataOf(await resend.domains.create({ name: 'a.example.org' }));
    const other = await resend.domains.create({
      name: 'a.example.org',
      customReturnPath: 'elsewhere',
    });

    expect(again.id).toBe('a.example.org');
    expect(other.error).toMatchObject({ name: 'validation_error', statusCode: 409 });
  });

  it.each([
    ['region', { region: 'sa-east-1' }],
    ['tls', { tls: 'enforced' }],
    ['open_tracking', { openTracking: true }],
    ['click_tracking', { clickTracking: false }],
    ['tracking_subdomain', { trackingSubdomain: 'links' }],
    ['capabilities.sending', { capabilities: { sending: 'disabled' } }],
    ['capabilities.receiving', { capabilities: { receiving: 'enabled' } }],
    ['custom_return_path', { customReturnPath: 'a b' }],
    ['name', { name: 'nothing' }],
  ] as const)('reject a %s that would have no effect', async (field, options) => {
    const { error } = await resend.domains.create({ name: 'refused.example.org', ...options });

    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 });
    expect(error?.message).toContain(`\`${field}\``);
    const { data } = dataOf(await resend.domains.list());
    expect(data.map(({ id }) => id)).not.toContain('refused.example.org');
  });

  it('accept an update only where it changes nothing', async () => {
    const id = 'a.example.org';

    const same = dataOf(await resend.domains.update({ id, tls: 'opportunistic' }));
    const enforced = await resend.domains.update({ id, tls: 'enforced' });

    expect(same).toEqual({ object: 'domain', id });
    expect(enforced.error?.message).toContain('`tls`');
  });

  it('are hidden from a key that can only send', async () => {
    const { error } = await clientWith(apiKey).domains.list();

    expect(error).toMatchObject({ name: 'restricted_api_key', statusCode: 401 });
  });
});
