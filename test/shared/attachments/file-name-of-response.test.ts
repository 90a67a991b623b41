import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileNameOf } from '#shared/attachments/file-name-of-response';

const url = new URL('https://files.example.com/2026/Gr%C3%B6%C3%9Fe%20A.pdf?X-Amz-Signature=abc');

it.each([
  [undefined, 'Größe A.pdf'],
  ['inline', 'Größe A.pdf'],
  ['attachment; filename=report.pdf', 'report.pdf'],
  ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
  [`attachment; filename="e.pdf"; filename*=UTF-8''%E2%82%AC.pdf`, '€.pdf'],
  [`attachment; filename*=utf-8'en'%E2%82%AC.pdf`, '€.pdf'],
  [`attachment; filename*=UTF-8''%FF.pdf`, 'Größe A.pdf'],
  ['attachment; filename="../../etc/passwd"', '../../etc/passwd'],
  ['attachment; filename=""', undefined],
])('reads %s as %s', (disposition, name) => {
  expect(fileNameOf(disposition, url)).toBe(name);
});

it.each([
  ['https://example.com', undefined],
  ['https://example.com/files/', undefined],
  ['https://example.com/%FF', undefined],
  ['https://example.com/a/b.c.txt#', 'b.c.txt'],
])('finds in the URL %s the name %s', (text, name) => {
  expect(fileNameOf(undefined, new URL(text))).toBe(name);
});

it('never fails, whatever a server writes', () => {
  const words = fc.constantFrom('filename', '*', '=', '"', '\\', ';', "UTF-8''", '%', 'a', ' ');
  fc.assert(
    fc.property(fc.array(words), fc.string(), (parts, text) => {
      fileNameOf(`attachment;${parts.join('')}${text}`, url);
    }),
  );
});
