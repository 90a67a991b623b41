import { describe, expect, it } from 'vitest';
import { parseForm } from '#shared/http/parse-request';
import { renderOrRefuse } from '#shared/templates/rendering/render-or-refuse';
import type { Template } from '#shared/templates/template';
import { createTemplate } from '#shared/templates/template-store';
import { newOrganizationId, newTemplateId, type OrganizationId } from '#shared/tokens/resource-id';
import {
  endpoint,
  maxDraftBytes,
  showPreview,
  typedFields,
} from '../../../functions/show-preview/show-preview.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const organizationId = newOrganizationId();
const layoutOf = (owner: OrganizationId, overrides: Partial<Template> = {}) =>
  buildTemplate({
    id: newTemplateId(owner),
    kind: 'layout',
    htmlContent: '<main>{{{content}}}</main>',
    content: 'Hi\n{{{content}}}',
    locales: { de: { subject: '', htmlContent: '<main>DE {{{content}}}</main>' } },
    ...overrides,
  });
const layout = layoutOf(organizationId);
const foreignLayout = layoutOf(newOrganizationId());
const draftLayout = layoutOf(organizationId, { name: 'Draft', isDraft: true });
const noLayout = layoutOf(organizationId, { name: 'No layout', kind: undefined });

const { table } = openMemoryTable();
for (const template of [layout, foreignLayout, draftLayout, noLayout]) {
  await createTemplate(table, template, anyEntry());
}

const preview = async (form: Record<string, string>) =>
  showPreview(
    table,
    parseForm(endpoint.body, typedFields(new URLSearchParams(form))),
    organizationId,
  );

describe('showPreview', () => {
  it('renders a draft as a stored template is rendered, and lists what is missing', async () => {
    const draft = {
      subject: 'Receipt {{order.id}}',
      htmlContent: '<p>Hello {{name}}, {{{raw}}}</p>',
      content: 'Hello {{name}}',
    };
    const variables = { name: '<A>', raw: '<b>B</b>' };

    const rendered = await preview({ ...draft, variables: JSON.stringify(variables) });

    expect(endpoint.answers[200].body.parse(rendered)).toEqual({
      subject: 'Receipt ',
      html: '<p>Hello &lt;A&gt;, <b>B</b></p>',
      content: 'Hello <A>',
      missingVariables: ['order.id'],
    });
    expect(rendered).toEqual(await renderOrRefuse(draft, variables));
  });

  it('renders what exists so far', async () => {
    expect(await preview({ subject: '', htmlContent: '', content: '', variables: '' })).toEqual({
      subject: '',
      html: undefined,
      content: '',
      missingVariables: [],
    });
    expect(await preview({ htmlContent: '<p>Hello</p>' })).toMatchObject({ content: 'Hello' });
  });

  it("includes the layout, in the draft's language", async () => {
    const draft = {
      htmlContent: '<p>{{name}}</p>',
      variables: '{"name": "A&B"}',
      layout: layout.id,
    };

    expect(await preview(draft)).toMatchObject({ html: '<main><p>A&amp;B</p></main>' });
    expect(await preview({ ...draft, locale: 'de-AT' })).toMatchObject({
      html: '<main>DE <p>A&amp;B</p></main>',
    });
    expect(await preview({ ...draft, content: '{{name}}' })).toMatchObject({ content: 'Hi\nA&B' });
  });

  it.each([
    ['another organization', foreignLayout],
    ['a draft', draftLayout],
    ['no layout', noLayout],
  ])("doesn't use a layout that is %s", async (_, { id }) => {
    const error = await serviceErrorOf(() => preview({ content: 'x', layout: id }));

    expect(error.errors).toEqual([{ path: 'layout', message: expect.stringContaining('no such') }]);
  });

  it('prints fallbacks, and says which variables are required or of another type', async () => {
    const declaredVariables = JSON.stringify({
      name: { type: 'string', fallback: 'friend' },
      count: { type: 'number', required: true },
    });
    const draft = { content: '{{name}} {{count}}', declaredVariables };

    expect(await preview({ ...draft, variables: '{"count": 2}' })).toMatchObject({
      ...{ content: 'friend 2', missingVariables: [] },
    });
    const error = await serviceErrorOf(() => preview({ ...draft, variables: '{"name": 1}' }));
    expect(error.errors?.map(({ path }) => path)).toEqual(['variables.name', 'variables.count']);
  });

  it('accepts a body at its limit whose line breaks the browser has doubled', async () => {
    const htmlContent = `${'<p>\n'.repeat(65_535)}</p>`;
    expect(Buffer.byteLength(htmlContent)).toBe(256 * 1024);

    const rendered = await preview({ htmlContent: htmlContent.replaceAll('\n', '\r\n') });

    expect(rendered.html).toBe(htmlContent);
  });

  it.each([
    [{ htmlContent: 'a\n{{#b}}' }, 'htmlContent', 'line 2, column 1: section "b" is never closed'],
    [{ subject: '{{' }, 'subject', 'line 1, column 1: a tag is not closed'],
    [{ variables: '{"a": 1' }, 'variables', 'must be JSON'],
    [{ declaredVariables: '[' }, 'declaredVariables', 'must be JSON'],
    [{ locale: 'deutsch!' }, 'locale', 'must be a language tag, such as de or de-AT'],
    [{ variables: '[]' }, 'variables', 'must be an object'],
    [{ content: 'a'.repeat(256 * 1024 + 1) }, 'content', 'must have at most 262144 bytes'],
  ])('reports the error in %j', async (form, path, message) => {
    const error = await serviceErrorOf(() => preview(form));

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([{ path, message }]);
  });

  it('rejects a draft that renders too much', async () => {
    const variables = JSON.stringify({ rows: Array.from({ length: 3_000 }, () => 0) });

    const error = await serviceErrorOf(() =>
      preview({ content: `{{#rows}}${'a'.repeat(1_000)}{{/rows}}`, variables }),
    );

    expect(error.code).toBe('rendered_too_large');
  });
});

describe('maxDraftBytes', () => {
  it('fits a URL-encoded draft with bodies of the maximum length', () => {
    const longest = 'é'.repeat(128 * 1024);
    const form = new URLSearchParams({ htmlContent: longest, content: longest });

    const draft = parseForm(endpoint.body, form);

    expect(draft.htmlContent).toBe(longest);
    expect(form.toString().length).toBeLessThan(maxDraftBytes);
  });
});
