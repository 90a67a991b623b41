import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileNameOf } from '#shared/attachments/file-name-of-response';

const url = new URL('https://files.example.com/2026/Gr%C3%B6%C3%9Fe%20A.pdf?X-Amz-Signature=abc');

/** As Node reads a header whose server wrote UTF-8. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

it.each([
  [undefined, 'Größe A.pdf'],
  ['inline', 'Größe A.pdf'],
  ['attachment; filename=report.pdf', 'report.pdf'],
  ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
  [`attachment; filename="e.pdf"; filename*=UTF-8''%E2%82%AC.pdf`, '€.pdf'],
  [`attachment; filename*=utf-8'en'%E2%82%AC.pdf`, '€.pdf'],
  [`attachment; filename*=UTF-8''%FF.pdf`, 'Größe A.pdf'],
  [latin1('attachment; filename="Prüfung Straße €.pdf"'), 'Prüfung Straße €.pdf'],
  [latin1('attachment; filename=Straße.pdf'), 'Straße.pdf'],
  ['attachment; filename="Prüfung.pdf"', 'Prüfung.pdf'],
  ['attachment; filename="../../etc/passwd"', 'Größe A.pdf'],
  ['attachment; filename="a\u009f.pdf"', 'Größe A.pdf'],
  ['attachment; filename=""', 'Größe A.pdf'],
  [`attachment; filename="e.pdf"; filename*=UTF-8''a%2Fb.pdf`, 'e.pdf'],
  ['attachment; filename="run.exe"', 'run.exe'],
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

it('finds the name that is at fault when the URL has none', () => {
  const name = fileNameOf('attachment; filename="a/b.pdf"', new URL('https://example.com/'));

  expect(name).toBe('a/b.pdf');
});

it('never fails, whatever a server writes', () => {
  const words = fc.constantFrom('filename', '*', '=', '"', '\\', ';', "UTF-8''", '%', 'a', ' ');
  fc.assert(
    fc.property(fc.array(words), fc.string(), (parts, text) => {
      fileNameOf(`attachment;${parts.join('')}${text}`, url);
    }),
  );
});
