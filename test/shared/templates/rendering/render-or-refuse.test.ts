import { describe, expect, it } from 'vitest';
import { renderOrRefuse } from '#shared/templates/rendering/render-or-refuse';
import { serviceErrorOf } from '../../../support/service-error.ts';

describe('renderOrRefuse', () => {
  it('makes the text body from the rendered HTML when the template has none', async () => {
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

  it.each([
    ['a text body renders to nothing', { htmlContent: '<p>HTML</p>', content: ' {{note}}' }],
    ['pictures leave no text', { htmlContent: '<img src="https://x.example/a.png">' }],
  ])('uses the subject as its text where %s, whatever the subject', async (_, bodies) => {
    const template = { subject: 'Hi {{name}}', ...bodies };
    const variables = { name: 'Ann', note: '' };

    expect(await renderOrRefuse(template, variables)).toMatchObject({
      subject: 'Hi Ann',
      content: 'Hi Ann',
    });
    expect(await renderOrRefuse(template, variables, 'Own')).toMatchObject({
      subject: 'Own',
      content: 'Own',
    });
  });

  it('keeps a text body that renders to nothing where there is no HTML', async () => {
    const template = { subject: 's', content: '{{note}}' };

    expect(await renderOrRefuse(template, { note: '' })).toMatchObject({ content: '' });
  });

  it('rejects a template that renders too much', async () => {
    const variables = { a: 'x'.repeat(2_000_000) };

    const error = await serviceErrorOf(() =>
      renderOrRefuse({ subject: 's', content: '{{a}}' }, variables),
    );

    expect(error.code).toBe('rendered_too_large');
  });

  it("inserts the bodies into the layout's, and makes the text from both", async () => {
    const template = { subject: 's', htmlContent: '<p>{{a}}</p>' };
    const layoutParts = {
      htmlContent: '<main>{{{content}}}</main><i>{{a}}</i>',
      content: '{{{content}}} --',
    };

    const both = await renderOrRefuse({ ...template, layoutParts }, { a: '<1>', content: 'mine' });
    const text = await renderOrRefuse(
      { subject: 's', content: '{{content}}', layoutParts },
      { content: 'mine' },
    );

    expect(both.html).toBe('<main><p>&lt;1&gt;</p></main><i>&lt;1&gt;</i>');
    expect(both.content).toBe('<1>\n\n<1>');
    expect(text).toMatchObject({ html: undefined, content: 'mine --' });
  });

  it("doesn't render tags that a value brings into the slot", async () => {
    const template = {
      subject: 's',
      content: '{{{a}}}',
      layoutParts: { content: '{{{content}}}' },
    };

    const { content } = await renderOrRefuse(template, { a: '{{b}}{{{content}}}', b: 'secret' });

    expect(content).toBe('{{b}}{{{content}}}');
  });

  it('measures template and layout together', async () => {
    const layoutParts = { content: '{{{content}}}{{b}}' };
    const template = { subject: 's', content: '{{a}}', layoutParts };
    const half = 'x'.repeat(600_000);

    expect((await renderOrRefuse(template, { a: half })).content).toHaveLength(600_000);
    const error = await serviceErrorOf(() => renderOrRefuse(template, { a: half, b: half }));
    expect(error.code).toBe('rendered_too_large');
  });
});
