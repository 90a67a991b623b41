import { describe, expect, it } from 'vitest';
import { fillInTemplate, mayBeMended } from '#shared/sending/fill-in-template';
import type { SendRequest } from '#shared/sending/request/send-request';
import type { TemplateParts } from '#shared/templates/rendering/render-parts';
import type { SentTemplateReading } from '#shared/templates/sent-template-store';
import type { Variables } from '#shared/templates/variables';
import { newOrganizationId, newTemplateId } from '#shared/tokens/resource-id';
import { buildAdmission } from '../../support/admission-builder.ts';
import { buildSendRequest } from '../../support/send-request-builder.ts';
import { buildTemplate, sentReadingOf } from '../../support/template-builder.ts';

const {
  subject: _subject,
  content: _content,
  htmlContent: _html,
  ...envelope
} = buildSendRequest();

/** Fills in a template with these parts, which is in the table unless the test says otherwise. */
function write(parts: TemplateParts, variables: Variables = {}, isThere = true) {
  const { htmlContent: _h, content: _c, ...bare } = buildTemplate();
  const template = { ...bare, ...parts };
  const request = { ...envelope, template: { asked: { name: template.id, variables } } };
  const reading = sentReadingOf(isThere ? template : undefined);
  return fillInTemplate({ ...buildAdmission(), request, template: reading });
}

function requestOf(written: Awaited<ReturnType<typeof fillInTemplate>>): SendRequest {
  if (written.ok) return written.email.request;
  throw written.error;
}

function faultOf(written: Awaited<ReturnType<typeof fillInTemplate>>) {
  if (written.ok) throw new Error('written');
  const { code, errors } = written.error;
  return { code, paths: errors?.map(({ path }) => path) };
}

describe('fillInTemplate', () => {
  it('leaves a request without a template unchanged', async () => {
    const request = buildSendRequest();

    expect(requestOf(await fillInTemplate({ request, template: undefined }))).toBe(request);
  });

  it('takes subject and bodies from the template', async () => {
    const parts = { subject: 'S {{a}}', htmlContent: '<p>{{a}}</p>', content: 'T {{a}}' };

    const request = requestOf(await write(parts, { a: '<1>' }));

    expect(request).toMatchObject({
      subject: 'S <1>',
      htmlContent: '<p>&lt;1&gt;</p>',
      content: 'T <1>',
      to: envelope.to,
      policyKey: envelope.policyKey,
    });
  });

  it('stores the template, the variables and the missing ones', async () => {
    const request = requestOf(await write({ subject: '{{a}}{{b}}', content: 'x' }, { a: 1 }));

    expect(request.template).toEqual({
      asked: { name: expect.any(String), variables: { a: 1 } },
      used: { id: request.template?.asked.name, version: 1, missingVariables: ['b'] },
    });
  });

  it('keeps 50 missing variables at most', async () => {
    const content = Array.from({ length: 60 }, (_, index) => `{{v${index}}}`).join(' x ');

    const request = requestOf(await write({ subject: 's', content }));

    expect(request.template?.used.missingVariables).toHaveLength(50);
  });

  it('shows the subject where images leave no text', async () => {
    const request = requestOf(
      await write({ subject: 'Sale', htmlContent: '<img src="sale.png">' }),
    );

    expect(request).toMatchObject({ content: 'Sale', htmlContent: '<img src="sale.png">' });
  });

  it('sends no HTML with a text-only template', async () => {
    expect(requestOf(await write({ subject: 's', content: 'x' })).htmlContent).toBeUndefined();
  });

  it('accepts a rendered subject of 998 characters', async () => {
    const subject = 'x'.repeat(998);

    const request = requestOf(await write({ subject: '{{a}}', content: 'x' }, { a: subject }));

    expect(request.subject).toBe(subject);
  });

  it('rejects an unknown template and names the field', async () => {
    const written = await write({ subject: 's', content: 'x' }, {}, false);

    expect(faultOf(written)).toEqual({ code: 'validation_failed', paths: ['templateId'] });
  });

  it.each<[string, TemplateParts, Variables]>([
    ['no subject', { subject: '{{a}} ', content: 'x' }, {}],
    ['a subject of 999 characters', { subject: '{{a}}', content: 'x' }, { a: 'x'.repeat(999) }],
    ['no text', { subject: 's', content: '{{a}}\n' }, {}],
    ['no HTML', { subject: 's', htmlContent: '{{{a}}}', content: 'x' }, { a: ' ' }],
  ])('refuses variables that make %s', async (_what, parts, variables) => {
    const written = await write(parts, variables);

    expect(faultOf(written)).toEqual({ code: 'validation_failed', paths: ['variables'] });
  });

  it('rejects an unknown template and says what identifies one', async () => {
    const written = await write({ subject: 's', content: 'x' }, {}, false);

    expect(written.ok ? [] : written.error.errors).toEqual([
      {
        path: 'templateId',
        message: 'the organization has no such template: use an ID or alias',
      },
    ]);
  });

  it('rejects variables that render too much', async () => {
    const written = await write({ subject: 's', content: '{{a}}' }, { a: 'x'.repeat(2_000_000) });

    expect(faultOf(written)).toEqual({ code: 'rendered_too_large', paths: ['variables'] });
  });
});

const id = newTemplateId(newOrganizationId());
type Kind = Exclude<SentTemplateReading['kind'], 'found'>;

it.each<[string, number | undefined, Kind, boolean]>([
  ['receipt', undefined, 'unknown', true],
  [id, undefined, 'unknown', false],
  ['receipt', undefined, 'layout', true],
  [id, undefined, 'unpublished', true],
  ['receipt', 3, 'unknown_version', false],
  [id, undefined, 'without_layout', true],
  [id, 3, 'without_layout', false],
])('a template %s of version %s that is %s may be fixed: %s', (name, version, kind, expected) => {
  const request = { ...envelope, template: { asked: { name, version, variables: {} } } };

  expect(mayBeMended({ request, template: { kind } })).toBe(expected);
});

it('a template may be fixed when the email lacks its variables', () => {
  const request = { ...envelope, template: { asked: { name: id, variables: {} } } };

  expect(mayBeMended({ request, template: sentReadingOf(buildTemplate()) })).toBe(true);
});
