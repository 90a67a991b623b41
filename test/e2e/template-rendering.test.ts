import { describe, expect, it } from 'vitest';
import { readInbox } from '../support/mailbox-inbox.ts';
import { type Fields, useTemplatePrograms } from '../support/template-programs.ts';

const { baseUrl, inboxUrl, newProgram } = await useTemplatePrograms();

describe('rendering a template', () => {
  it('returns subject, html, content and missing variables', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({ content: '{{name}}, {{order.id}}: {{order}}, {{note}}' });

    const { status, body } = await call('POST', `/templates/${id}/render`, {
      variables: { name: '<Ann>', order: { id: 7 } },
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      subject: 'Your receipt, <Ann>',
      html: '<p>Thank you, &lt;Ann&gt;.</p>',
      content: '<Ann>, 7: {"id":7}, ',
      missingVariables: ['note'],
    });
  });

  it('needs no variables', async () => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const { status, body } = await call('POST', `/templates/${id}/render`, {});

    expect({ status, missing: body['missingVariables'] }).toEqual({
      status: 200,
      missing: ['name'],
    });
  });

  it.each<[string, Fields]>([
    ['an array', { variables: [] }],
    ['a text', { variables: 'name' }],
    ['null', { variables: null }],
    ['deep nesting', { variables: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) }],
  ])('rejects %s for variables', async (_what, request) => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const { status, paths } = await call('POST', `/templates/${id}/render`, request);

    expect({ status, paths }).toEqual({ status: 400, paths: ['variables'] });
  });

  it.each([
    ['nesting of a million levels', `{"variables":{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}}`],
    ['a prototype', '{"variables":{"__proto__":{"polluted":true}}}'],
  ])('rejects %s', async (_what, body) => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const { status } = await call('POST', `/templates/${id}/render`, body);

    expect(status).toBe(400);
    expect({}).not.toHaveProperty('polluted');
  });

  it('returns 413 for loops that render too much', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({ content: `${'{{#l}}'.repeat(9)}x${'{{/l}}'.repeat(9)}` });

    const { status, body } = await call('POST', `/templates/${id}/render`, {
      variables: { l: Array.from({ length: 100 }, () => ({})) },
    });

    expect({ status, code: body.code }).toEqual({ status: 413, code: 'rendered_too_large' });
  });

  it('renders what a send uses, even from HTML alone', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({
      content: undefined,
      htmlContent: '<p>Hi {{name}}, <a href="{{url}}">pay</a></p>',
    });
    const variables = { name: 'Ann\r\nBcc: eve@example.com', url: 'https://shop.example/pay?a=1' };

    const { body } = await call('POST', `/templates/${id}/render`, { variables });
    const sent = await call('POST', '/emails/send', {
      to: 'ann@example.com',
      subject: body['subject'],
      content: body['content'],
      htmlContent: body['html'],
    });

    expect(sent.status).toBe(200);
    const [email] = await readInbox(inboxUrl);
    expect(email).toMatchObject({
      subject: 'Your receipt, Ann Bcc: eve@example.com',
      destination: { to: ['ann@example.com'], bcc: [] },
      body: {
        text: 'Hi Ann Bcc: eve@example.com, pay (https://shop.example/pay?a=1)',
        html: expect.stringContaining(`href="${baseUrl}/t/c/`),
      },
    });
    const [, tracked = ''] = /href="([^"]+)"/.exec(email?.body.html ?? '') ?? [];
    const click = await fetch(tracked, { redirect: 'manual' });
    expect(click.headers.get('location')).toBe('https://shop.example/pay?a=1');
  });

  it('renders what a send uses where images leave no text', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({
      content: undefined,
      htmlContent: '<img src="https://shop.example/card.png">',
    });

    const { body } = await call('POST', `/templates/${id}/render`, { variables: { name: 'Ann' } });
    const sent = await call('POST', '/emails/send', {
      to: 'ann@example.com',
      subject: body['subject'],
      content: body['content'],
      htmlContent: body['html'],
    });

    expect(body['content']).toBe('Your receipt, Ann');
    expect(sent.status).toBe(200);
  });
});
