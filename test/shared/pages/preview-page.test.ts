import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { previewErrorPage, previewPage } from '#shared/pages/preview-page';

describe('previewPage', () => {
  it('is the HTML as it was rendered, from its first character on', () => {
    const html = '<!doctype html><p>Hello <a href="https://example.com">Ann</a></p>';

    const page = previewPage({ html, content: 'Hello Ann' });

    expect(page.startsWith(html)).toBe(true);
    expect(page.slice(html.length)).toBe('<base target="_blank">');
  });

  it('is the text of an email without HTML, and no markup', () => {
    const page = previewPage({ html: undefined, content: '</pre><script>alert(1)</script>' });

    expect(page).toContain('&lt;/pre&gt;&lt;script&gt;');
    expect(page).not.toContain('<script');
  });
});

describe('previewErrorPage', () => {
  it('says what is wrong and where, and the request id, but no markup of the draft', () => {
    const error = new ServiceError('validation_failed', 'The request is not valid.', {
      errors: [{ path: 'htmlContent', message: 'section "<script>" is never closed' }],
    });

    const page = previewErrorPage(error, 'request-1');

    expect(page).toContain('The request is not valid.');
    expect(page).toContain(
      '<b>htmlContent</b>: section &quot;&lt;script&gt;&quot; is never closed',
    );
    expect(page).toContain('request-1');
    expect(page).not.toContain('<script');
  });
});
