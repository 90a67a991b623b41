import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecord, parseCsv, withoutDefusing } from '#shared/csv/csv';

const cellsOf = (text: string) => [...parseCsv(text)].map(({ cells }) => cells);

describe('parseCsv', () => {
  it.each([
    ['', []],
    ['a', [['a']]],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a\rb\r', [['a'], ['b']]],
    ['\ufeffa,b\n', [['a', 'b']]],
    ['"a, b","c\r\nd","e""f"\r\n', [['a, b', 'c\r\nd', 'e"f']]],
    ['a,,\n', [['a', '', '']]],
    ['""\n', [['']]],
    ['a\n\n\nb\n', [['a'], ['b']]],
    ['a"b,c', [['a"b', 'c']]],
    ['"a"b,c', [['ab', 'c']]],
    ['"a,b', [['a,b']]],
  ])('reads %j', (text, records) => {
    expect(cellsOf(text)).toEqual(records);
  });

  it('says at which line a record begins, also after cells of several lines', () => {
    const lines = [...parseCsv('a\n"b\nb\r\nb"\n\nc')].map(({ line }) => line);

    expect(lines).toEqual([1, 2, 6]);
  });

  it('reads any text to its end', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', '\ufeff') }),
        (text) => {
          expect(cellsOf(text).flat().join('').length).toBeLessThanOrEqual(text.length);
        },
      ),
    );
  });

  it('reads a quote that never ends in one go', () => {
    expect(cellsOf(`"${'a'.repeat(1_000_000)}`)).toHaveLength(1);
  });
});

describe('csvRecord', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'writes %j so that no spreadsheet runs it',
    (cell) => {
      const [[written] = []] = cellsOf(csvRecord([cell]));

      expect(written).toBe(`'${cell}`);
    },
  );

  it('writes what parseCsv and withoutDefusing read back, whatever the cells hold', () => {
    const cell = fc.string({
      unit: fc.constantFrom('"', ',', '\r', '\n', '=', "'", '-', 'a', ' '),
    });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2 })), (records) => {
        const text = records.map(csvRecord).join('');

        expect(cellsOf(text).map((cells) => cells.map(withoutDefusing))).toEqual(records);
      }),
    );
  });
});
