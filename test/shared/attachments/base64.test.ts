import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64ByteLength } from '#shared/attachments/base64';

/** What an encoder writes for the bytes that Node, which forgives anything, reads from the text. */
const writtenAnew = (text: string) => Buffer.from(text, 'base64').toString('base64');

const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'x').toString('base64');

describe('base64ByteLength', () => {
  it.each([
    ['', 0],
    ['Zg==', 1],
    ['Zm8=', 2],
    ['Zm9v', 3],
    ['Zm9vYg==', 4],
    ['Zm9vYmE=', 5],
    ['Zm9vYmFy', 6],
    ['++//', 3],
  ])('of the text %j (RFC 4648 §10) is %i', (text, length) => {
    expect(base64ByteLength(text)).toBe(length);
  });

  it.each([
    ['without padding', 'Zg'],
    ['with too little padding', 'Zg='],
    ['with too much padding', 'Zm9v='],
    ['with a whole group of padding', 'Zm9v===='],
    ['of padding alone', '===='],
    ['with three padding characters', 'Z==='],
    ['with padding in the middle', 'Zg==Zg=='],
    ['with padding first', '=Zm9'],
    ['with a line break', 'Zm9v\r\nYmFy'],
    ['with a line break at the end', 'Zm9vYmF\n'],
    ['with a space', 'Zm9 '],
    ['in the URL-safe alphabet', '--__'],
    ['of other characters', 'Zm9ä'],
    ['beyond the basic plane', 'Zm😀'],
    ['with a full-width letter', 'Zm9ｖ'],
    ['with a NUL', 'Zm9\u0000'],
    ['with stray bits before ==', 'Zh=='],
    ['with stray bits before =', 'Zm9='],
    ['as a data URL', 'data:text/plain;base64,Zm9v'],
  ])('is undefined %s', (_what, text) => {
    expect(base64ByteLength(text)).toBeUndefined();
  });

  it('is that of the bytes of whatever an encoder wrote', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(base64ByteLength(Buffer.from(bytes).toString('base64'))).toBe(bytes.length);
      }),
    );
  });

  it('is known exactly of the texts that an encoder would write', () => {
    const nearlyBase64 = fc
      .array(fc.constantFrom(...'AQgwZm9v+/=-_ \n'), { maxLength: 12 })
      .map((characters) => characters.join(''));

    fc.assert(
      fc.property(fc.oneof(nearlyBase64, fc.base64String(), fc.string()), (text) => {
        expect(base64ByteLength(text) !== undefined).toBe(writtenAnew(text) === text);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['at its end', (text: string) => `${text.slice(0, -1)}!`],
    ['at its beginning', (text: string) => `!${text.slice(1)}`],
    ['in its middle', (text: string) => `${text.slice(0, 7_000_000)}!${text.slice(7_000_001)}`],
  ])('of 9 MB with a fault %s is undefined', (_where, spoil) => {
    expect(base64ByteLength(spoil(megabytes(9)))).toBeUndefined();
  });

  it('is known of 25 MB', () => {
    expect(base64ByteLength(megabytes(25))).toBe(25 * 1024 * 1024);
  });
});
