import { describe, expect, it } from 'vitest';
import { divideImport } from '../../../infra/manage/import-parts.ts';

const most = { rows: 2, bytes: 1_000 };
const divide = (text: string, limits = most) => [...divideImport(text, limits)];
const textsOf = (text: string, limits = most) => divide(text, limits).map((part) => part.text);

describe('a file imported in parts', () => {
  it('stays whole if it fits', () => {
    const file = 'email,reason\na@example.com,bounce\nb@example.com,bounce\n';

    expect(textsOf(file)).toEqual([file]);
  });

  it('has its header in each part', () => {
    expect(textsOf('email\na@example.com\nb@example.com\nc@example.com')).toEqual([
      'email\na@example.com\nb@example.com\n',
      'email\nc@example.com',
    ]);
  });

  it('has no header in any part if its first line is an address', () => {
    expect(textsOf('a@example.com\nb@example.com\nc@example.com')).toEqual([
      'a@example.com\nb@example.com\n',
      'c@example.com',
    ]);
  });

  it('is never split inside a multi-line cell', () => {
    const rows = ['a@example.com,"550\r\nno"\r\n', 'b@example.com,x\r\n', 'c@example.com,"""\n"\n'];

    expect(textsOf(`email,diagnostic\r\n${rows.join('')}`)).toEqual([
      `email,diagnostic\r\n${rows[0]}${rows[1]}`,
      `email,diagnostic\r\n${rows[2]}`,
    ]);
  });

  it('is split by bytes before a request is too large', () => {
    const file = 'email\nä@example.com\nb@example.com\n';

    expect(textsOf(file, { rows: 2, bytes: 28 })).toHaveLength(2);
    expect(textsOf(file, { rows: 2, bytes: 29 })).toEqual([file]);
  });

  it('sends a row that is too large on its own', () => {
    expect(textsOf('email\na@example.com\nb@example.com', { rows: 2, bytes: 1 })).toEqual([
      'email\na@example.com\n',
      'email\nb@example.com',
    ]);
  });

  it("maps a part's line to the file's", () => {
    const [first, second] = divide('email\na@example.com\n\n"b\n"\nc@example.com\n');

    expect([first?.lineInFile(2), first?.lineInFile(4)]).toEqual([2, 4]);
    expect([second?.firstLine, second?.lineInFile(2)]).toEqual([6, 6]);
  });

  it.each(['', 'email\n', 'nothing\nof\nuse\nhere'])(
    'leaves the check of %j to the service',
    (file) => {
      expect(textsOf(file)[0]?.slice(0, 7)).toBe(file.slice(0, 7));
    },
  );
});
