import { describe, expect, it } from 'vitest';
import { contentTypeFault, fallbackContentType } from '#shared/attachments/content-type';

describe('a content type', () => {
  it.each([
    'application/pdf',
    'IMAGE/JPEG',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'image/svg+xml',
    'text/csv;charset=utf-8',
    'text/plain; charset="utf-8"; header=present',
    `a/${'x'.repeat(76)}`,
  ])('may be %s', (contentType) => {
    expect(contentTypeFault(contentType)).toBeUndefined();
  });

  it.each([
    '',
    'pdf',
    'application/',
    '/pdf',
    'application/pdf;',
    'application/pdf\r\nX-Evil: 1',
    'application /pdf',
    'text/plain; charset="utf-8',
    'text/plain; name="a\nb"',
    'text/größe',
    `a/${'x'.repeat(77)}`,
    'multipart/mixed; boundary=x',
    'message/rfc822',
    'Multipart/Mixed',
    'MESSAGE/rfc822',
  ])('may not be %j', (contentType) => {
    expect(contentTypeFault(contentType)).toMatch(/^must /);
  });
});

describe('the content type of an attachment whose caller names none', () => {
  it('is left to SES when the name has an extension', () => {
    expect(fallbackContentType('a.pdf')).toBeUndefined();
  });

  it('is plain bytes when the name has none', () => {
    expect(fallbackContentType('README')).toBe('application/octet-stream');
  });
});
