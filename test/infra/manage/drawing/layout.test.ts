import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, layOut, widthOf, wrap } from '../../../../infra/manage/drawing/layout.ts';
import { type Column, drawRecord, drawTable } from '../../../../infra/manage/drawing/text-table.ts';

const plain = (_: string, text: string) => text;

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abcé日本語👍') }),
  fc.constantFrom('a', '日本', '👍🏽'),
);
const prose = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));

describe('text', () => {
  it('keeps its words in order, in lines that fit', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 30, max: 100 }), (text, width) => {
        const lines = wrap(text, width);

        expect(lines.join(' ').split(' ')).toEqual(text.split(' '));
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('keeps its indent and its mark', () => {
    expect(wrap('  → one two three four', 13)).toEqual(['  → one two', '    three', '    four']);
  });

  it('keeps a command and a word that is too wide in one piece', () => {
    const command = 'npm run manage -- sends show snd_1';

    expect(wrap(`Then: ${command}`, 36)).toEqual(['Then:', command]);
    expect(wrap(`Then: ${command} --local`, 37)).toEqual([
      ...['Then:', `${command} \\`, '    --local'],
    ]);
    expect(wrap(`Secret ${'x'.repeat(30)}`, 20)).toEqual(['Secret', 'x'.repeat(30)]);
  });

  it('breaks JSON that is too wide after a comma', () => {
    expect(wrap('{"name":"Ann","role":"viewer"}', 20)).toEqual([
      '{"name":"Ann",',
      '"role":"viewer"}',
    ]);
  });

  it('is cut to a width with …, and never within a letter', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 1, max: 60 }), (text, width) => {
        const short = cut(text, width);

        expect(widthOf(short)).toBeLessThanOrEqual(Math.max(width, 1));
        expect(short === text || short.endsWith('…')).toBe(true);
        expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
      }),
    );
  });

  it.each([
    ['ann', 3],
    ['日本語', 6],
    ['é', 1],
    ['👍🏽', 2],
    ['\u001b[31mred\u001b[39m', 3],
  ])('%s takes its cells', (text, cells) => {
    expect(widthOf(text)).toBe(cells);
  });
});

type Email = {
  readonly id: string;
  readonly to: string;
  readonly state: string;
  readonly n: number;
};

const columns: readonly Column<Email>[] = [
  ['STATE', ({ state }) => state],
  ['COUNT', ({ n }) => n],
  ['TO', ({ to }) => to, 'cut'],
  ['NOTE', () => '', 'wide'],
  ['ID', ({ id }) => id, 'below'],
];

const one: Email = { id: 'snd_1', to: 'ann@example.com', state: 'sent', n: 5 };

describe('a table', () => {
  const draw = (rows: readonly Email[], width: number) =>
    layOut(drawTable(rows, columns, plain), width).split('\n');

  it('has all columns if they fit, with numbers at the right', () => {
    expect(draw([one], 80)).toEqual([
      'STATE  COUNT  TO               NOTE  ID',
      'sent       5  ann@example.com        snd_1',
    ]);
  });

  it('leaves out empty columns, then moves ids below, then cuts', () => {
    expect(draw([one], 38)).toEqual([
      'STATE  COUNT  TO               ID',
      'sent       5  ann@example.com  snd_1',
    ]);
    expect(draw([one], 32)).toEqual([
      'STATE  COUNT  TO',
      'sent       5  ann@example.com',
      '  snd_1',
    ]);
    expect(draw([{ ...one, to: 'ann.longer@example.com' }], 32)).toEqual([
      'STATE  COUNT  TO',
      'sent       5  ann.longer@exampl…',
      '  snd_1',
    ]);
  });

  it('moves ids below rather than cutting what has room otherwise', () => {
    const url = `https://example.com/${'x'.repeat(24)}`;

    expect(draw([{ ...one, to: url }], 60).at(-1)).toBe('  snd_1');
    expect(draw([{ ...one, to: url }], 60).join()).toContain(url);
  });

  it('becomes a record per row if that is not enough', () => {
    expect(draw([one, { ...one, id: 'snd_2' }], 20)).toEqual([
      ...['STATE  sent', 'COUNT  5', 'TO', '  ann@example.com', 'ID     snd_1', ''],
      ...['STATE  sent', 'COUNT  5', 'TO', '  ann@example.com', 'ID     snd_2'],
    ]);
  });

  it('fits every width, with every id in full', () => {
    const email = fc.record({
      id: fc.constant('snd_0123456789'),
      to: prose,
      state: fc.constantFrom('sent', 'soft_bounced'),
      n: fc.nat(),
    });
    fc.assert(
      fc.property(
        fc.array(email, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 24, max: 160 }),
        (rows, width) => {
          const lines = draw(rows, width);

          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
          expect(lines.join('\n').split('snd_0123456789')).toHaveLength(rows.length + 1);
        },
      ),
    );
  });
});

describe('a record', () => {
  it('wraps long values beside their name, and puts what is too wide beneath it', () => {
    const record = drawRecord([
      ['Subject', 'Your order has been shipped today'],
      ['ID', 'x'.repeat(28)],
      ['Absent', undefined],
    ]);

    expect(layOut(record, 30).split('\n')).toEqual([
      'Subject  Your order has been',
      '         shipped today',
      'ID',
      `  ${'x'.repeat(28)}`,
    ]);
  });
});
