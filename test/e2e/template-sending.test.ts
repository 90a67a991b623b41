import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { newOrganizationId, newTemplateId } from '#shared/tokens/resource-id';
import { clearInbox, readInbox } from '../support/mailbox-inbox.ts';
import { type Fields, useTemplatePrograms } from '../support/template-programs.ts';

const { inboxUrl, newProgram } = await useTemplatePrograms();

beforeEach(() => clearInbox(inboxUrl));

describe.each(['/emails/send', '/emails/send-global'])('sending by template, %s', (path) => {
  it('sends the rendered email in one call', async () => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const { status, body } = await call('POST', path, {
      to: 'ann@example.com',
      templateId: id,
      variables: { name: '<Ann>' },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'sent', reused: false });
    expect(body).not.toHaveProperty('missingVariables');
    expect(await readInbox(inboxUrl)).toMatchObject([
      {
        subject: 'Your receipt, <Ann>',
        body: {
          text: 'Thank you, <Ann>.',
          html: expect.stringContaining('<p>Thank you, &lt;Ann&gt;.</p>'),
        },
      },
    ]);
  });

  it('replays the first answer after the template was edited or deleted', async () => {
    const { call, create } = await newProgram();
    const { id } = await create();
    const send = () =>
      call(
        'POST',
        path,
        { to: 'ann@example.com', templateId: id },
        { 'idempotency-key': 'order-1' },
      );
    const first = await send();

    await call('PUT', `/templates/${id}`, { subject: 'Other', content: 'Other' });
    const second = await send();
    await call('DELETE', `/templates/${id}`);
    const third = await send();

    expect(first.body).toMatchObject({ reused: false, missingVariables: ['name'] });
    expect(second.body).toEqual({ ...first.body, reused: true });
    expect(third.body).toEqual({ ...first.body, reused: true });
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(await readInbox(inboxUrl)).toHaveLength(1);
  });

  it('refuses other variables with a used key', async () => {
    const { call, create } = await newProgram();
    const { id } = await create();
    const send = (variables: Fields) =>
      call(
        'POST',
        path,
        { to: 'ann@example.com', templateId: id, variables },
        { 'idempotency-key': 'order-1' },
      );
    await send({ name: 'Ann' });

    const { status, body } = await send({ name: 'Bob' });

    expect({ status, code: body.code }).toEqual({ status: 422, code: 'idempotency_key_reused' });
  });

  it('shows the template and what was missing in the timeline', async () => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const { body } = await call('POST', path, { to: 'ann@example.com', templateId: id });

    const sendId = z.string().parse(body['sendId']);
    const timeline = await call('GET', `/sends/${sendId}`);
    expect(timeline.body['send']).toMatchObject({
      subject: 'Your receipt, ',
      templateId: id,
      missingVariables: ['name'],
    });
  });

  it.each<[string, Fields, string[]]>([
    ['words beside a template', { htmlContent: 'H', content: 'C' }, ['content', 'htmlContent']],
    ['a template of nobody', { templateId: newTemplateId(newOrganizationId()) }, ['templateId']],
    ['what is no template', { templateId: 'nonsense' }, ['templateId']],
    ['variables that are no object', { variables: ['a'] }, ['variables']],
  ])('rejects %s, and sends nothing', async (_what, fields, expected) => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const { status, body, paths } = await call('POST', path, {
      to: 'ann@example.com',
      templateId: id,
      ...fields,
    });

    expect({ status, code: body.code, paths }).toEqual({
      status: 400,
      code: 'validation_failed',
      paths: expected,
    });
    expect(await readInbox(inboxUrl)).toEqual([]);
  });

  it("doesn't find another organization's template", async () => {
    const owner = await newProgram();
    const stranger = await newProgram();
    const { id } = await owner.create();

    const { status, paths } = await stranger.call('POST', path, {
      to: 'ann@example.com',
      templateId: id,
    });

    expect({ status, paths }).toEqual({ status: 400, paths: ['templateId'] });
  });

  it('refuses to send an empty email, and the same key can then send', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({ subject: '{{title}}' });
    const send = (variables: Fields) =>
      call(
        'POST',
        path,
        { to: 'ann@example.com', templateId: id, variables },
        { 'idempotency-key': 'order-1' },
      );

    const refused = await send({});
    const sent = await send({ title: 'Now' });

    expect([refused.status, refused.paths]).toEqual([400, ['variables']]);
    expect(sent.status).toBe(200);
  });
});
