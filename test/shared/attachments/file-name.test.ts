import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extensionOf, fileNameFault } from '#shared/attachments/file-name';
import { anyCharacter } from '../../support/any-character.ts';

describe('a file name', () => {
  it.each([
    'a.txt',
    'README',
    '.gitignore',
    'Größe 漢字 😀.pdf',
    'תפריט.pdf',
    'invoice (1) "final"; v2, 100%.pdf',
    'archive.tar.gz',
    'app.json',
    'exe.pdf',
    'exe',
    'Report 12:30.pdf',
    'ﾚﾎﾟｰﾄ.ｐｄｆ',
    'ﷺ'.repeat(20),
    'a'.repeat(255),
  ])('may be %j', (name) => {
    expect(fileNameFault(name)).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['of 256 characters', 'a'.repeat(256)],
    ['with a line break', 'a\r\nBcc: eve@example.com.txt'],
    ['with a NUL', 'a\u0000.txt'],
    ['with a C1 control', 'a\u0085.txt'],
    ['with a line separator', 'a\u2028.txt'],
    ['with a lone surrogate', 'a\ud800.txt'],
    ['with turned-around text', 'invoice-\u202efdp.zip'],
    ['with text turned around by an isolate', 'invoice-\u2067fdp.zip'],
    ['with the end of an isolate', 'invoice-\u2069fdp.zip'],
    ['with a path', 'etc/passwd'],
    ['with a Windows path', 'C:\\boot.txt'],
    ['that climbs', '..'],
    ['with a path in full-width letters', 'ｅｔｃ／passwd'],
    ['that climbs in full-width letters', '．．'],
    ['that nobody sees', '\u200b\u2060'],
  ])('may not be %s', (_what, name) => {
    expect(fileNameFault(name)).toMatch(/^must /);
  });

  it.each([
    ...['run.exe', 'RUN.EXE', 'invoice.pdf.js', 'a.ps1xml', 'a.exe.', 'a.exe . ', 'ä.scr'],
    ...['a.exe::$DATA', 'a.exe:b.txt', 'a.exe.:b', 'b.txt:a.exe', '.exe', 'a..exe', 'a. exe'],
    ...['ａ.ｅｘｅ', 'a．exe', 'a\u2024exe', 'a.ⓔⓧⓔ', 'a.𝐞𝐱𝐞', 'a.js\u00a0', 'a.jſ', 'a.exe\u3000'],
    ...['a.e\u200bxe', 'a.exe\u200d', 'a.ex\u00ade', '\ufeffa.exe\ufe0f', 'a.exe\u{e0001}'],
  ])('%j is refused with the reason that SES refuses its type', (name) => {
    expect(fileNameFault(name)).toContain('Amazon SES refuses');
  });

  it('that is accepted can neither end a header line nor leave its folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (name) => {
        const isAccepted = fileNameFault(name) === undefined;

        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
        expect(isAccepted && /[\u0000-\u001f/\\]/.test(name)).toBe(false);
      }),
    );
  });
});

describe('extensionOf', () => {
  it.each([
    ['Report.PDF', 'pdf'],
    ['archive.tar.gz', 'gz'],
    ['README', undefined],
    ['.gitignore', undefined],
    ['a.', undefined],
  ])('%j is %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });

  // In quadratic time it would not end before the test's own time-out.
  it('is found in a name of nothing but full stops', () => {
    expect(extensionOf(`${'. '.repeat(100_000)}a`)).toBe(' a');
  });
});
