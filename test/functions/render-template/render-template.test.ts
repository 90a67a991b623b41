import { describe, expect, it } from 'vitest';
import { endpoint } from '../../../functions/render-template/endpoint.ts';
import { renderTemplate } from '../../../functions/render-template/render-template.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplateWorld } from '../../support/template-world-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

describe('renderTemplate', () => {
  it('renders a template of the organization, for a key with any scopes', async () => {
    const { credential, template, templates } = buildTemplateWorld({}, []);

    const rendered = await renderTemplate(
      credential,
      template.id,
      () => ({ name: '<A>' }),
      templates,
    );

    expect(endpoint.answers[200].body.parse(rendered)).toEqual({
      subject: 'Your receipt, <A>',
      html: '<p>Thank you, &lt;A&gt;.</p>',
      content: 'Thank you, <A>.',
      missingVariables: [],
    });
  });

  it('knows no template without an id', async () => {
    const { credential, templates } = buildTemplateWorld({ get: unexpected('templates.get') });

    const error = await serviceErrorOf(() =>
      renderTemplate(credential, undefined, () => ({}), templates),
    );

    expect(error.code).toBe('template_not_found');
  });

  it('reads no request without a key', async () => {
    const { template, templates } = buildTemplateWorld();

    const error = await serviceErrorOf(() =>
      renderTemplate(undefined, template.id, unexpected('the request'), templates),
    );

    expect(error.code).toBe('invalid_api_key');
  });
});
