import { describe, expect, it } from 'vitest';
import { renderOrRefuse } from '#shared/templates/render-or-refuse';
import { serviceErrorOf } from '../../support/service-error.ts';

describe('renderOrRefuse', () => {
  it('makes the text body of the rendered HTML when the template has none', async () => {
    const { content } = await renderOrRefuse(
      { subject: 's', htmlContent: '<h1>Hi {{name}}</h1><p><a href="{{url}}">Pay</a></p>' },
      { name: 'Ann & Bob', url: 'https://example.com/?a=1&b=2' },
    );

    expect(content).toBe('Hi Ann & Bob\n\nPay (https://example.com/?a=1&b=2)');
  });

  it('keeps the text body of a template that has one', async () => {
    const template = { subject: 's', htmlContent: '<p>HTML</p>', content: 'Text' };

    expect(await renderOrRefuse(template, {})).toMatchObject({
      html: '<p>HTML</p>',
      content: 'Text',
    });
  });

  it('keeps a text body that renders to nothing', async () => {
    const template = { subject: 's', htmlContent: '<p>HTML</p>', content: '{{note}}' };

    expect(await renderOrRefuse(template, { note: '' })).toMatchObject({ content: '' });
  });

  it('refuses a template that renders to too much', async () => {
    const variables = { a: 'x'.repeat(2_000_000) };

    const error = await serviceErrorOf(() =>
      renderOrRefuse({ subject: 's', content: '{{a}}' }, variables),
    );

    expect(error.code).toBe('rendered_too_large');
  });
});
