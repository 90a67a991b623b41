import { Resend } from 'resend';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readInbox } from '../support/mailbox-inbox.ts';
import { dataOf } from '../support/resend-answers.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, apiKey, manageKey, fromEmail, inboxUrl } = await useTwin();
const clientWith = (key: string) => new Resend(`re_${key}`, { baseUrl: `${baseUrl}/resend` });
const resend = clientWith(manageKey);

const send = (to: string, id: string, variables?: Record<string, string>) =>
  clientWith(apiKey).emails.send({
    to,
    from: fromEmail,
    template: { id, ...(variables && { variables }) },
  });

const bodyTo = async (address: string) => {
  const inbox = await readInbox(inboxUrl);
  return JSON.stringify(inbox.filter(({ destination }) => destination?.to.includes(address)));
};

const receipt = {
  name: 'Receipt',
  alias: 'receipt',
  subject: 'Receipt of {{{shop}}}',
  html: '<p>Hello {{{name}}}</p>',
  replyTo: 'help@example.com',
  variables: [
    { key: 'name', type: 'string', fallbackValue: 'you' },
    { key: 'shop', type: 'string' },
  ],
} as const;

describe('templates, as Resend’s client sees them', () => {
  it('are created, published, sent by alias, edited, and sent as edited once published', async () => {
    const create = { ...receipt, variables: [...receipt.variables] };
    const { id } = dataOf(await resend.templates.create(create));
    const draft = dataOf(await resend.templates.get('receipt'));
    expect(draft).toMatchObject({
      ...{ object: 'template', id, alias: 'receipt', status: 'draft', published_at: null },
      ...{ subject: receipt.subject, html: receipt.html, text: null, from: null },
      reply_to: ['help@example.com'],
      variables: [
        { key: 'name', type: 'string', fallback_value: 'you' },
        { key: 'shop', type: 'string', fallback_value: null },
      ],
      has_unpublished_versions: true,
    });
    expect((await send('early@example.com', 'receipt')).error).not.toBeNull();

    dataOf(await resend.templates.publish('receipt'));
    dataOf(await send('ann@example.com', 'receipt', { shop: 'Northwind' }));
    expect(await bodyTo('ann@example.com')).toMatch(/Receipt of Northwind.*Hello you/s);
    const without = await send('ann@example.com', id);
    expect(without.error?.message).toContain('template.variables.shop');

    const from = `Northwind <${fromEmail}>`;
    const changes = { html: '<p>Bye</p>', text: 'Good-bye', from, variables: [] };
    expect(dataOf(await resend.templates.update(id, changes))).toEqual({ object: 'template', id });
    expect(dataOf(await resend.templates.get(id))).toMatchObject({
      ...{ status: 'published', has_unpublished_versions: true },
      ...{
        html: '<p>Bye</p>',
        text: 'Good-bye',
        from,
        variables: [],
        published_at: expect.any(String),
      },
    });
    dataOf(await send('carl@example.com', id, { shop: 'Northwind' }));
    expect(await bodyTo('carl@example.com')).toContain('Hello you');
    dataOf(await resend.templates.publish(id));
    dataOf(await resend.emails.send({ to: 'dora@example.com', template: { id } }));
    expect(await bodyTo('dora@example.com')).toMatch(/Northwind.*Good-bye.*<p>Bye/s);
  });

  it('are duplicated, listed in both directions, and removed', async () => {
    const one = dataOf(await resend.templates.duplicate('receipt').publish());
    const other = dataOf(await resend.templates.duplicate('receipt'));
    const copy = dataOf(await resend.templates.get(other.id));
    expect(copy).toMatchObject({ name: 'Receipt (copy 2)', alias: null, status: 'draft' });

    const all = dataOf(await resend.templates.list());
    const ids = all.data.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([other.id, one.id]);
    expect(all.data[2]).toMatchObject({ name: 'Receipt', alias: 'receipt', status: 'published' });
    const first = dataOf(await resend.templates.list({ limit: 1 }));
    expect(first).toMatchObject({ object: 'list', has_more: true, data: [{ id: other.id }] });
    const next = dataOf(await resend.templates.list({ limit: 1, after: other.id }));
    expect(next.data).toMatchObject([{ id: one.id }]);
    const back = dataOf(await resend.templates.list({ limit: 1, before: 'receipt' }));
    expect(back).toMatchObject({ has_more: true, data: [{ id: one.id }] });

    const removed = dataOf(await resend.templates.remove('receipt'));
    expect(removed).toEqual({ object: 'template', id: ids[2], deleted: true });
    expect(await resend.templates.get('receipt')).toMatchObject({ error: { name: 'not_found' } });
  });

  it('may lack a subject, which each email then gives', async () => {
    const options = { method: 'POST', headers: { authorization: `Bearer ${manageKey}` } };
    const body = JSON.stringify({ name: 'no-subject', html: '<p>Hi</p>' });
    const headers = { ...options.headers, 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}/resend/templates`, { ...options, headers, body });
    const { id } = z.object({ id: z.string() }).parse(await response.json());
    dataOf(await resend.templates.update(id, { html: '<p>Hello</p>' }));
    dataOf(await resend.templates.publish(id));
    const email = { to: 'emma@example.com', from: fromEmail, template: { id } };

    const refused = await resend.emails.send(email);
    dataOf(await resend.emails.send({ ...email, subject: 'Hello Emma' }));

    expect(dataOf(await resend.templates.get(id)).subject).toBeNull();
    expect(refused.error?.message).toContain('`subject`');
    expect(await bodyTo('emma@example.com')).toContain('Hello Emma');
  });

  it('lose each optional field that an update sets to null', async () => {
    const fields = { subject: 'Hi', text: 'Hi', alias: 'loser', from: fromEmail };
    const create = { name: 'Loser', html: '<p>Hi</p>', ...fields };
    const { id } = dataOf(await resend.templates.create(create));
    const none = { subject: null, text: null, alias: null, from: null };

    dataOf(await resend.templates.update(id, none));

    const changed = dataOf(await resend.templates.get(id));
    expect(changed).toMatchObject({ ...none, html: '<p>Hi</p>' });
  });

  it.each([
    ['subject', { subject: 'a\nb' }],
    ['html', { html: '{{#if x}}' }],
    ['alias', { alias: 'a b' }],
    ['from', { from: 'nobody' }],
    ['reply_to.0', { replyTo: ['nobody'] }],
    [
      'variables.0.fallback_value',
      { variables: [{ key: 'a', type: 'number', fallbackValue: 'x' }] },
    ],
    ['variables.0.key', { variables: [{ key: 'a b', type: 'string' }] }],
    [
      'variables.1.key',
      {
        variables: [
          { key: 'a', type: 'string' },
          { key: 'a', type: 'string' },
        ],
      },
    ],
  ])('reject an invalid %s: %j', async (field, options) => {
    const response = await fetch(`${baseUrl}/resend/templates`, {
      method: 'POST',
      headers: { authorization: `Bearer ${manageKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf({ name: 'Wrong', subject: 'Hi', html: 'Hi', ...options })),
    });

    expect(response.status).toBe(422);
    expect(await response.text()).toContain(`\`${field}\``);
  });
});

type Wrong = {
  readonly [field: string]: unknown;
  readonly replyTo?: unknown;
  readonly variables?: readonly { readonly key: string; readonly fallbackValue?: unknown }[];
};

/** As Resend's client prints it. */
const bodyOf = ({ replyTo, variables, ...fields }: Wrong) => ({
  ...fields,
  reply_to: replyTo,
  variables: variables?.map(({ fallbackValue, ...variable }) => ({
    ...variable,
    fallback_value: fallbackValue,
  })),
});
